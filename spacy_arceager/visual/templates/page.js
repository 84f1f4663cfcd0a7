"use strict";
// Shows one sentence at one step. What it shows comes from the JSON in #data, and from the arcs in
// the page, which have the numbers of the steps that make them and take them away.

const MOST_TOKENS = 14;   // so many words of a stack or buffer are shown
const sentences = JSON.parse(document.getElementById("data").textContent);
const meanings = new Map([...document.querySelectorAll("dt[id]")].map(
  (term) => [term.id, term.nextElementSibling.textContent]));
const sections = [...document.querySelectorAll("section.views")];
const control = (name) => document.getElementById(name);
const slider = control("step");
let sentence = 0;
let step = 0;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// The kind of a transition, by which the legend explains it.
function moveOf(text) {
  return text.split(/[^A-Z_]/)[0];
}

// The name of a transition; its tooltip says what it does.
function explained(tag, text) {
  const made = element(tag, "", text);
  made.title = meanings.get(moveOf(text)) ?? "";
  return made;
}

// The same as a link to the legend, which it opens. Inside a notebook's frame, the browser itself
// would follow such a link to the notebook.
function linked(text) {
  const link = explained("a", text);
  link.href = `#${moveOf(text)}`;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    control("legend").open = true;
    control(moveOf(text)).focus();
  });
  return link;
}

// A word in a bdi element keeps its own direction of writing.
function token(name, className) {
  const made = element("li", className);
  made.append(element("bdi", "", name));
  return made;
}

function lastStep() {
  return Math.max(...sentences[sentence].views.map((view) => view.steps.length - 1));
}

function named(transition, label) {
  return label ? `${transition}(${label})` : transition;
}

function describeArc(view, arc) {
  const [head, dependent, label] = arc;
  return `${view.names[head]} → ${view.names[dependent]}${label ? ` (${label})` : ""}`;
}

function describe(view, number) {
  const now = view.steps[number];
  if (number === 0) return "Start.";
  const arcs = now.arcs.map((arc) => describeArc(view, arc)).join(", ");
  const lost = now.lost.map((arc) => describeArc(view, arc)).join(", ");
  return [
    `Step ${number}: ${named(now.transition, now.label)}.`,
    arcs && `New arc: ${arcs}${lost ? `, instead of ${lost}` : ""}.`,
    ...now.marks.map((mark) => `This is ${mark === "error" ? "an error" : "a repair"}.`),
  ].filter(Boolean).join(" ");
}

function showTokens(list, view, nodes, now, fromEnd) {
  const shown = fromEnd ? nodes.slice(-MOST_TOKENS) : nodes.slice(0, MOST_TOKENS);
  const active = new Set(now.active);
  const items = shown.map((node) => token(view.names[node], active.has(node) ? "active" : ""));
  const more = nodes.length - shown.length;
  if (more) items[fromEnd ? "unshift" : "push"](element("li", "more", `${more} more`));
  if (!fromEnd && (view.front || now.end)) {
    items.push(element("li", now.end ? "end active" : "end", "END"));
  }
  list.replaceChildren(...items);
}

function showFigure(box, view, number) {
  const now = view.steps[number];
  const svg = box.querySelector(".figure");
  for (const arc of svg.querySelectorAll(".arc")) {
    const first = Number(arc.dataset.first);
    const there = first <= number && !(Number(arc.dataset.end) <= number);
    arc.toggleAttribute("hidden", !there);
    arc.classList.toggle("new", number > 0 && first === number);
  }
  const stack = new Set(now.stack);
  const buffer = new Set([...now.buffer, ...now.waiting]);
  const active = new Set(now.active);
  for (const place of svg.querySelectorAll(".place")) {
    const node = Number(place.dataset.node);
    place.classList.toggle("stack", stack.has(node));
    place.classList.toggle("front", buffer.has(node) && active.has(node));
    place.classList.toggle("active", active.has(node));
  }
  for (const word of svg.querySelectorAll(".word")) {
    const node = Number(word.dataset.node);
    word.classList.toggle("done", !stack.has(node) && !buffer.has(node));
  }
  const arcs = view.steps.slice(0, number + 1).reduce((there, one) => {
    const lost = new Set(one.lost.map(String));
    return [...there.filter((arc) => !lost.has(String(arc))), ...one.arcs];
  }, []);
  const drawn = arcs.map((arc) => describeArc(view, arc)).join(", ");
  svg.setAttribute("aria-label", `Arcs: ${drawn || "none"}`);
  follow(box.querySelector(".scroll"), svg, now);
}

// Scrolls to the front of the buffer, or else the top of the stack.
function follow(scroll, svg, now) {
  const node = now.buffer.length ? now.buffer[0] : now.stack[now.stack.length - 1];
  const place = svg.querySelector(`.place[data-node="${node}"]`);
  if (!place) return;
  const y = Number(place.getAttribute("y"));
  const height = scroll.clientHeight;
  if (y < scroll.scrollTop + 20 || y > scroll.scrollTop + height - 60) {
    scroll.scrollTop = Math.max(0, y - height / 2);
  }
}

function number(value, digits) {
  const known = value !== null;
  return element("td", "number", known ? value.toFixed(digits) : "");
}

function showChoices(box, view, at) {
  const next = view.steps[at + 1];
  const rows = (next ? next.choices : []).map((choice) => {
    const row = element("tr", choice.taken ? "taken" : "");
    if (choice.taken) row.setAttribute("aria-current", "true");
    const name = element("th", "", choice.taken ? "▶ " : "");
    name.scope = "row";
    name.append(linked(named(choice.transition, choice.label)));
    row.append(name);
    if (view.scored) row.append(number(choice.score, 2), number(choice.probability, 3));
    if (view.judged) row.append(number(choice.cost, 0));
    return row;
  });
  box.querySelector(".choices tbody").replaceChildren(...rows);
  box.querySelector(".note").replaceChildren(...note(view, at));
}

// The line below the table: how many choices it leaves out; behind the last step, the result.
function note(view, at) {
  const next = view.steps[at + 1];
  if (next) {
    const more = next.n_choices - next.choices.length;
    return more ? [`${more} other choices are not shown.`] : [];
  }
  const end = [`The end. Roots: ${view.roots.map((root) => view.names[root]).join(", ")}.`];
  for (const [title, words] of [["Wrong heads", view.wrong], ["Lifted arcs of", view.lifted]]) {
    if (!words.length) continue;
    const names = words.map((word) => view.names[word]).join(", ");
    end.push(element("span", "wrong-note", ` ${title}: ${names}.`));
  }
  return end;
}

function makeHistory(box, view) {
  const items = view.steps.map((one, i) => {
    const button = element("button");
    button.type = "button";
    button.append(element("span", "number", String(i)));
    button.append(explained("span", i ? named(one.transition, one.label) : "start"));
    button.append(...one.marks.map((mark) => element("span", `mark ${mark}`, mark)));
    button.addEventListener("click", () => go(i));
    const item = element("li");
    item.append(button);
    return item;
  });
  box.querySelector(".history").replaceChildren(...items);
}

function showHistory(box, at) {
  const list = box.querySelector(".history");
  [...list.children].forEach((item, i) => {
    const button = item.firstChild;
    if (i === at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  const current = list.children[at];
  list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function showView(box, view) {
  const at = Math.min(step, view.steps.length - 1);
  const now = view.steps[at];
  showTokens(box.querySelector(".stack"), view, now.stack, now, true);
  showTokens(box.querySelector(".buffer"), view, now.buffer, now, false);
  showFigure(box, view, at);
  showChoices(box, view, at);
  showHistory(box, at);
}

function show() {
  const views = sentences[sentence].views;
  const boxes = [...sections[sentence].querySelectorAll(".view")];
  boxes.forEach((box, i) => showView(box, views[i]));
  slider.max = lastStep();
  slider.value = step;
  const said = views.map((view) => {
    const text = describe(view, Math.min(step, view.steps.length - 1));
    return views.length > 1 ? `${view.name}: ${text}` : text;
  }).join(" ");
  slider.setAttribute("aria-valuetext", `Step ${step} of ${lastStep()}. ${said}`);
  control("status").textContent = said;
  control("count").textContent = `${step} / ${lastStep()}`;
  control("first").disabled = control("back").disabled = step === 0;
  control("last").disabled = control("forward").disabled = step === lastStep();
  control("mark").disabled = !hasMarks();
}

function go(to) {
  step = Math.min(Math.max(to, 0), lastStep());
  show();
}

function hasMarks() {
  return sentences[sentence].views.some((view) => view.steps.some((one) => one.marks.length));
}

// The next step that has a mark in some view; after the last such step, the first one.
function nextMark() {
  const n = lastStep() + 1;
  for (let i = 1; i <= n; i++) {
    const at = (step + i) % n;
    if (sentences[sentence].views.some((view) => view.steps[at]?.marks.length)) return at;
  }
  return step;
}

function choose(to) {
  sentence = (to + sections.length) % sections.length;
  sections.forEach((section, i) => { section.hidden = i !== sentence; });
  if (control("sentence")) {
    control("sentence").value = sentence;
    document.title = sections[sentence].dataset.text;
  }
  sections[sentence].querySelectorAll(".view").forEach((box, i) => {
    makeHistory(box, sentences[sentence].views[i]);
  });
  go(0);
}

const KEYS = {
  ArrowLeft: () => go(step - 1),
  ArrowRight: () => go(step + 1),
  PageUp: () => go(step - 10),
  PageDown: () => go(step + 10),
  Home: () => go(0),
  End: () => go(lastStep()),
  e: () => go(nextMark()),
  s: () => choose(sentence + 1),
};

document.addEventListener("keydown", (event) => {
  const held = event.ctrlKey || event.altKey || event.metaKey;
  // A select and the slider use keys themselves, but the slider uses no letters.
  const own = event.target.matches("select, input") && (
    event.target !== slider || event.key.length > 1);
  if (held || own || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});
slider.addEventListener("input", () => go(Number(slider.value)));
control("first").addEventListener("click", KEYS.Home);
control("last").addEventListener("click", KEYS.End);
control("back").addEventListener("click", KEYS.ArrowLeft);
control("forward").addEventListener("click", KEYS.ArrowRight);
control("mark").addEventListener("click", KEYS.e);
control("sentence")?.addEventListener("change", (event) => choose(Number(event.target.value)));
choose(0);
