#!/usr/bin/env bash
# Tries the package on aarch64 Linux, where the processor is another: cross-compiled, then emulated.
#
#   scripts/try_aarch64.sh FOLDER [TEST ...]
#
# For Debian, as root, with debootstrap, qemu-user-static, binfmt-support and g++-aarch64-linux-gnu.
# FOLDER takes about 1 GB. PYTHON is an interpreter (python) with what builds the package, of the
# same version as that of SUITE (bookworm). Pip installs what the package depends on as wheels.
set -euo pipefail
[ $# -gt 0 ] || { sed -n 2,8p "$0"; exit 2; }
folder=$(realpath -m "$1") python=${PYTHON:-python} suite=${SUITE:-bookworm}
shift
[ $# -gt 0 ] || set -- tests/installed
root=$folder/root source=$folder/source
repository=$(cd "$(dirname "$0")/.." && pwd)
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
mkdir -p "$folder"

# The packages are only unpacked: to configure them would run emulated, for many minutes.
if [ ! -d "$root" ]; then
    debootstrap --arch=arm64 --foreign --variant=minbase \
        --include="python$version,libpython$version-dev,libgomp1" "$suite" "$root.part"
    for package in "$root.part"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root.part"; done
    mv "$root.part" "$root"
fi

rm -rf "$source" "$folder/wheel" "$root/site" "$root/work"
mkdir -p "$source" "$root/work"
cd "$repository"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -pt "$source"
# Cython need not run again where the tree has been built.
find spacy_arceager -name "*.cpp" -print0 | xargs -0r cp --parents -pt "$source"
(
    cd "$source"
    export _PYTHON_HOST_PLATFORM=linux-aarch64
    export _PYTHON_SYSCONFIGDATA_NAME=_sysconfigdata__aarch64-linux-gnu
    mkdir sysconfig
    cp "$root/usr/lib/python$version/$_PYTHON_SYSCONFIGDATA_NAME.py" sysconfig
    export PYTHONPATH=$source/sysconfig CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++
    export LDSHARED="$CC -shared" LDCXXSHARED="$CXX -shared"
    export CPPFLAGS="-I$root/usr/include/python$version -I$root/usr/include"
    "$python" setup.py -q bdist_wheel --plat-name linux_aarch64 -d "$folder/wheel"
)
"$python" -m pip install -q --target "$root/site" --only-binary :all: --python-version "$version" \
    --platform linux_aarch64 --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 \
    "$folder"/wheel/*.whl pytest hypothesis
cp -r tests docs pyproject.toml "$root/work"
# The mounts end with the process.
unshare --mount bash -c '
    mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && cd "$0" && exec chroot . \
        env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 PYTHONPATH=/site OMP_NUM_THREADS=1 \
        bash -c "cd /work && exec \"\$@\"" _ "$@"
' "$root" "python$version" -m pytest -q -p no:cacheprovider "$@"
