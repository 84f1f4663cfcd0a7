"use strict";
// The page asks the server for a parse, and draws it. What a person has asked for (`wanted`) is
// sent along with the text each time, because the server remembers nothing.

const SVG = "http://www.w3.org/2000/svg";
const FAR = 6;              // so many pixels make a click a drag
const EDGE = 30;            // so near an edge, a drag scrolls
const DOUBT = 0.5;          // an arc with less confidence is drawn as doubtful
const narrow = window.matchMedia("(max-width: 700px)");
const control = (name) => document.getElementById(name);
const words = new Map();    // of the last parse, by their indices
let wanted = { fixed: [], forbidden: [] };
let parsed = null;          // the last request that was answered
let chosen = null;          // the word whose head is being chosen
let controller = null;      // of the request that is being answered

// Drawing

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function percent(value) {
  return value === null ? "" : `${Math.round(100 * value)} % sure`;
}

function formOf(index) {
  return words.get(index)?.text ?? `word ${index}`;
}

function isFixed(word, head) {
  return wanted.fixed.some((arc) => arc.word === word && (arc.head ?? head) === head);
}

function showArc(arc, drawing, confidence) {
  const doubtful = confidence !== null && confidence < DOUBT;
  const group = shape("g", {
    class: `arc${isFixed(arc.word, arc.head) ? " fixed" : ""}${doubtful ? " doubtful" : ""}`,
    tabindex: 0, role: "button", "data-word": arc.word, "data-head": arc.head,
    "data-label": arc.label,
  });
  const name = [`${formOf(arc.head)} → ${formOf(arc.word)}`, arc.label, percent(confidence)];
  group.setAttribute("aria-label", name.filter(Boolean).join(", "));
  group.append(
    shape("title", {}, name.filter(Boolean).join(", ")),
    shape("path", { class: "line", d: arc.line }),
    shape("path", { class: "tip", d: arc.tip }),
    shape("path", { class: "hit", d: arc.line }),
    shape("text", { x: arc.x, y: arc.y, "text-anchor": drawing.anchor }, arc.label),
  );
  return group;
}

function showWord(word, drawing, heads) {
  const isRoot = heads.get(word.index) === word.index;
  const group = shape("g", {
    class: `word${isRoot ? " root" : ""}`, tabindex: 0, role: "button", "data-index": word.index,
    "aria-label": isRoot ? `${word.text}, root` : `${word.text}, below ${formOf(heads.get(word.index))}`,
  });
  const text = shape(
    "text", { x: word.x, y: word.y + 4, "text-anchor": drawing.anchor }, word.text);
  group.append(text);
  if (formOf(word.index) !== word.text) group.append(shape("title", {}, formOf(word.index)));
  return group;
}

// Puts a field behind the text of each word, which can be clicked and dropped on.
function addFields(svg) {
  for (const group of svg.querySelectorAll(".word")) {
    const box = group.querySelector("text").getBBox();
    group.prepend(shape("rect", {
      x: box.x - 5, y: box.y - 4, width: box.width + 10, height: box.height + 8, rx: 3 }));
  }
}

function showTree(place, drawing, heads, confidences) {
  const svg = shape("svg", {
    class: "figure", width: drawing.width, height: drawing.height, role: "group",
    "aria-label": "Words and arcs" });
  const arcs = new Map(drawing.arcs.map((arc) => [arc.word, arc]));
  for (const arc of arcs.values()) {
    svg.append(showArc(arc, drawing, confidences?.get(arc.word) ?? null));
  }
  for (const word of drawing.words) svg.append(showWord(word, drawing, heads));
  place.replaceChildren(svg);
  addFields(svg);
}

function showTable(sentence) {
  const table = element("table");
  const columns = ["", "Form", "Lemma", "UPOS", "XPOS", "Features", "Head", "Label", "Sure"];
  const top = element("tr");
  for (const name of columns) {
    const cell = element("th", "", name);
    cell.scope = "col";
    top.append(cell);
  }
  table.append(element("thead"), element("tbody"));
  table.tHead.append(top);
  for (const word of sentence.words) {
    const row = element("tr");
    const head = word.head === word.index ? "" : formOf(word.head);
    const sure = word.head_confidence === null ? "" : word.head_confidence.toFixed(2);
    for (const text of [word.index, word.text, word.lemma, word.upos, word.xpos, word.feats, head,
      word.label, sure]) {
      const cell = element("td", "", String(text));
      cell.dir = "auto";
      row.append(cell);
    }
    table.tBodies[0].append(row);
  }
  const box = element("details");
  const scroll = element("div", "scroll");
  scroll.append(table);
  box.append(element("summary", "", "Words"), scroll);
  return box;
}

function scoreOf(tree) {
  const [name, value] = Object.entries(tree.scores)[0];
  return `${name.replace("_", " ")} ${value.toFixed(2).replace("-", "−")}`;
}

// A row of buttons, of which one is pressed: the parse, or one of the best trees.
function showTrees(sentence, place) {
  const group = element("div", "trees controls");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Best trees");
  const keep = element("button", "keep", "Keep this tree");
  keep.type = "button";
  keep.hidden = true;
  const options = [null, ...sentence.trees];
  for (const [rank, tree] of options.entries()) {
    const button = element("button", "", tree ? `${rank}: ${scoreOf(tree)}` : "Parse");
    button.type = "button";
    button.setAttribute("aria-pressed", String(!tree));
    button.addEventListener("click", () => {
      for (const other of group.querySelectorAll("[aria-pressed]")) {
        other.setAttribute("aria-pressed", String(other === button));
      }
      keep.hidden = !tree;
      keep.onclick = () => keepTree(sentence, tree);
      drawSentence(sentence, place, tree);
    });
    group.append(button);
  }
  group.append(keep);
  return group;
}

function drawSentence(sentence, place, tree) {
  const indices = sentence.words.map((word) => word.index);
  const heads = tree ? tree.heads : sentence.words.map((word) => word.head);
  const byWord = new Map(indices.map((index, i) => [index, heads[i]]));
  const sure = new Map(sentence.words.map((word) => [word.index, word.head_confidence]));
  showTree(place, (tree ?? sentence).drawing, byWord, tree ? null : sure);
}

function showSentence(sentence) {
  const box = element("article");
  const title = element("h2", "", sentence.text);
  title.dir = "auto";
  const place = element("div", "scroll");
  place.tabIndex = -1;
  box.append(title, place);
  control("sentences").append(box);
  drawSentence(sentence, place, null);
  if (sentence.trees.length) box.append(showTrees(sentence, place));
  box.append(showTable(sentence));
}

function showAnswer(answer) {
  words.clear();
  for (const sentence of answer.sentences) {
    for (const word of sentence.words) words.set(word.index, word);
  }
  control("sentences").replaceChildren();
  answer.sentences.forEach(showSentence);
  const n = answer.sentences.length;
  const sure = answer.sentences.filter((one) => one.confidence !== null)
    .map((one) => `${Math.round(100 * one.confidence)} %`);
  const each = sure.length ? ` Confidence by sentence: ${sure.join(", ")}.` : "";
  say(`${n} sentence${n === 1 ? "" : "s"}, ${words.size} word${words.size === 1 ? "" : "s"}.${each}`);
  control("more").hidden = !n;
  document.querySelector("#conllu pre").textContent = answer.conllu;
  const link = control("download");
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([answer.conllu], { type: "text/plain" }));
  if (control("derivation").open) askForDerivation();
  showWanted();
}

function say(text) {
  control("status").textContent = text;
}

function complain(text) {
  control("error").textContent = text;
}

// What a person has asked for

function describe(arc, kind) {
  const label = arc.label ? ` (${arc.label})` : "";
  if (arc.head === arc.word) return `${kind}: ${formOf(arc.word)} as root`;
  const head = arc.head === undefined ? "any" : formOf(arc.head);
  return `${kind}: ${head} → ${formOf(arc.word)}${label}`;
}

function showWanted() {
  const list = control("constraints").querySelector("ul");
  const items = ["fixed", "forbidden"].flatMap((kind) => wanted[kind].map((arc) => {
    const text = describe(arc, kind === "fixed" ? "Fixed" : "Forbidden");
    const button = element("button", "", `${text} ×`);
    button.type = "button";
    button.setAttribute("aria-label", `Release. ${text}`);
    button.addEventListener("click", () => ask({
      ...wanted, [kind]: wanted[kind].filter((other) => other !== arc) }));
    const item = element("li");
    item.append(button);
    return item;
  }));
  list.replaceChildren(...items);
  control("constraints").hidden = !items.length;
}

function without(word, head) {
  return {
    fixed: wanted.fixed.filter((arc) => arc.word !== word),
    forbidden: wanted.forbidden.filter((arc) => arc.word !== word || arc.head !== head),
  };
}

function fix(word, head, label) {
  const rest = without(word, head);
  const arc = label ? { word, head, label } : { word, head };
  return ask({ ...rest, fixed: [...rest.fixed, arc] });
}

function forbid(word, head) {
  const rest = without(word, head);
  return ask({ ...rest, forbidden: [...rest.forbidden, { word, head }] });
}

function keepTree(sentence, tree) {
  const own = new Set(sentence.words.map((word) => word.index));
  const arcs = sentence.words.map((word, i) => (tree.heads[i] === word.index
    ? { word: word.index, head: word.index }
    : { word: word.index, head: tree.heads[i], label: tree.labels[i] }));
  ask({
    fixed: [...wanted.fixed.filter((arc) => !own.has(arc.word)), ...arcs],
    forbidden: wanted.forbidden.filter((arc) => !own.has(arc.word)),
  });
}

// Talking to the server

function requestFor(asked, text) {
  return {
    text, fixed: asked.fixed, forbidden: asked.forbidden,
    k_best: Math.min(20, Math.max(0, Math.trunc(Number(control("trees").value) || 0))),
    draw: narrow.matches ? "down" : "across",
  };
}

// Parses a text with what is asked for. If that cannot be, all stays as it was. What is asked of
// words is asked of the text that they were parsed in, whatever has been typed since.
async function ask(asked, text = parsed.text) {
  controller?.abort();
  const mine = controller = new AbortController();
  choose(null);
  complain("");
  say("Parsing …");
  control("sentences").setAttribute("aria-busy", "true");
  const request = requestFor(asked, text);
  try {
    const answer = await fetch("api/parse", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request), signal: mine.signal });
    if (!answer.ok) {   // what stands between may answer with something else than JSON
      const fault = await answer.json().catch(() => null);
      throw new Error(fault?.error?.message ?? `The server answers with status ${answer.status}.`);
    }
    const data = await answer.json();
    wanted = asked;
    parsed = request;
    const focused = focusKey();
    showAnswer(data);
    restoreFocus(focused);
  } catch (error) {
    if (mine.signal.aborted) return;
    say("");
    complain(error instanceof TypeError ? "The server does not answer." : error.message);
  }
  control("sentences").removeAttribute("aria-busy");
}

function focusKey() {
  const { index, word } = document.activeElement?.dataset ?? {};
  return index ?? word;
}

function restoreFocus(index) {
  if (index !== undefined) document.querySelector(`.word[data-index="${index}"]`)?.focus();
}

function askForDerivation() {
  const form = document.querySelector("#derivation form");
  form.elements.request.value = JSON.stringify({ ...parsed, k_best: 0, draw: null });
  form.submit();
}

async function introduce() {
  const info = await (await fetch("api/info")).json();
  if (info.language !== "en") control("text").value = "";     // the example is English
  control("about").textContent = `Pipeline ${info.model} (${info.language}), system `
    + `${info.system}, at most ${info.limits.words} words.`;
  control("label").replaceChildren(
    element("option", "", "any label"), ...info.labels.map((label) => element("option", "", label)));
  control("label").options[0].value = "";
}

// Choosing a head: a word, then its head

function choose(index) {
  chosen = index;
  for (const word of document.querySelectorAll(".word")) {
    word.classList.toggle("chosen", Number(word.dataset.index) === index);
    word.setAttribute("aria-pressed", String(Number(word.dataset.index) === index));
  }
  if (index === null) return;
  const form = formOf(index);
  say(`Choose the head of “${form}”: click a word, or “${form}” again to make it the root.`);
}

function clickWord(index) {
  if (chosen === null) choose(index);
  else fix(chosen, index);
}

function openMenu(arc) {
  const menu = control("menu");
  const word = Number(arc.dataset.word);
  const head = Number(arc.dataset.head);
  control("menu-title").textContent = `${formOf(head)} → ${formOf(word)}`;
  control("menu-note").textContent = arc.getAttribute("aria-label");
  control("label").value = arc.dataset.label;
  menu.querySelector("[value=release]").hidden = !isFixed(word, head);
  menu.returnValue = "";
  menu.onclose = () => {
    if (menu.returnValue === "fix") fix(word, head, control("label").value);
    else if (menu.returnValue === "forbid") forbid(word, head);
    else if (menu.returnValue === "release") ask(without(word, head));
    else arc.focus();
  };
  menu.showModal();
}

function activate(target) {
  const word = target.closest(".word[data-index]");
  const arc = target.closest(".arc[data-word]");
  if (word) clickWord(Number(word.dataset.index));
  else if (arc) openMenu(arc);
  return word ?? arc;
}

// Dragging an arc, or a word, to a new head

function wordAt(x, y) {
  return document.elementFromPoint(x, y)?.closest(".word[data-index]") ?? null;
}

// Scrolls a long sentence where an arc is dragged to an edge of what is shown of it.
function followEdge(scroll, now) {
  const box = scroll.getBoundingClientRect();
  const step = (place, start, end) => EDGE * ((place > end - EDGE) - (place < start + EDGE));
  scroll.scrollBy({ left: step(now.clientX, box.left, box.right), behavior: "instant" });
  window.scrollBy({ top: step(now.clientY, 0, window.innerHeight), behavior: "instant" });
}

function startDrag(event) {
  const from = event.target.closest(".arc[data-word], .word[data-index]");
  if (!from || event.button !== 0) return;
  // A finger on a word scrolls the page.
  if (from.matches(".word") && event.pointerType === "touch") return;
  const svg = from.ownerSVGElement;
  const word = Number(from.dataset.word ?? from.dataset.index);
  const field = svg.querySelector(`.word[data-index="${word}"] rect`).getBBox();
  const line = shape("path", { class: "dragged" });
  let target = null;
  const move = (now) => {
    if (!line.isConnected && Math.hypot(
      now.clientX - event.clientX, now.clientY - event.clientY) < FAR) return;
    if (!line.isConnected) svg.append(line);
    svg.classList.add("dragging");
    followEdge(svg.parentElement, now);
    const box = svg.getBoundingClientRect();
    line.setAttribute("d", `M${now.clientX - box.left} ${now.clientY - box.top} `
      + `L${field.x + field.width / 2} ${field.y}`);
    target?.classList.remove("target");
    target = wordAt(now.clientX, now.clientY);
    target?.classList.add("target");
  };
  const stop = (now) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", stop);
    document.removeEventListener("pointercancel", stop);
    document.removeEventListener("keydown", giveUp);
    document.removeEventListener("touchmove", hold);
    svg.classList.remove("dragging");
    target?.classList.remove("target");
    if (!line.isConnected) return;
    line.remove();
    // The click that follows a drag means nothing.
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
    if (now.type === "pointerup" && target) fix(word, Number(target.dataset.index));
  };
  // A finger that drags an arc does not scroll the page, or leaf through the history.
  const hold = (touch) => touch.preventDefault();
  const giveUp = (key) => { if (key.key === "Escape") stop(key); };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", stop);
  document.addEventListener("pointercancel", stop);
  document.addEventListener("keydown", giveUp);
  document.addEventListener("touchmove", hold, { passive: false });
}

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

function pressKey(event) {
  if (event.key === "Enter" || event.key === " ") {
    if (activate(event.target)) event.preventDefault();
  } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const here = event.target.closest(".word[data-index]");
    if (!here) return;
    const all = [...here.ownerSVGElement.querySelectorAll(".word")];
    all[all.indexOf(here) + (event.key === "ArrowLeft" ? -1 : 1)]?.focus();
    event.preventDefault();
  }
}

function parseAnew() {
  const text = control("text").value;
  return ask(parsed?.text === text ? wanted : { fixed: [], forbidden: [] }, text);
}

control("form").addEventListener("submit", (event) => {
  event.preventDefault();
  parseAnew();
});
control("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) parseAnew();
});
control("sentences").addEventListener("click", (event) => activate(event.target));
control("sentences").addEventListener("keydown", pressKey);
control("sentences").addEventListener("pointerdown", startDrag);
control("release").addEventListener("click", () => {
  if (parsed) ask({ fixed: [], forbidden: [] });
});
control("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(document.querySelector("#conllu pre").textContent);
  say("Copied.");
});
control("derivation").addEventListener("toggle", () => {
  if (control("derivation").open) askForDerivation();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || chosen === null) return;
  choose(null);
  say("");
});
narrow.addEventListener("change", () => { if (parsed) ask(wanted); });
introduce().then(() => control("text").value && parseAnew(), () => complain("The server does not answer."));
