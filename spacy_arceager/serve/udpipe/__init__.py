"""The requests `models` and `process` of UDPipe's REST service, so that its clients work here.

The service is documented at https://lindat.mff.cuni.cz/services/udpipe/api-reference.php, and its
options at https://ufal.mff.cuni.cz/udpipe/1/users-manual.
"""
