"use strict";
// Adds comfort to the page, and only that: without this script everything is there to read.
(() => {
  const SVG = "http://www.w3.org/2000/svg";

  /** Makes an element with words, at the end of another one. */
  const make = (name, words, parent, element = document.createElement(name)) => {
    if (words) element.textContent = words;
    if (parent) parent.append(element);
    return element;
  };

  const makeButton = (words, parent, action) => {
    const button = make("button", words, parent);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  };

  // Values under the pointer: parts of figures have them in data-v.

  const tip = make("div", "", document.body);
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.addEventListener("pointerover", (event) => {
    const part = event.target.closest ? event.target.closest("[data-v]") : null;
    tip.hidden = !part;
    if (!part) return;
    tip.textContent = part.getAttribute("data-v");
    const box = part.getBoundingClientRect();
    const left = box.left + box.width / 2 - tip.offsetWidth / 2;
    const widest = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const above = box.top - tip.offsetHeight - 8;
    tip.style.left = Math.max(8, Math.min(left, widest)) + "px";
    tip.style.top = (above > 0 ? above : box.bottom + 8) + "px";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tip.hidden = true;
  });

  // Tables: the heading of a column sorts its rows, a field above the table filters them.

  /** Returns a number for digits such as 1,234.5 or 13.15%, else the words. */
  const key = (cell) => {
    const words = cell ? cell.textContent.trim() : "";
    const digits = words.replace(/[,%\s]/g, "");
    return digits !== "" && isFinite(digits) ? Number(digits) : words;
  };

  const compare = (one, other) =>
    typeof one === "number" && typeof other === "number"
      ? one - other
      : String(one).localeCompare(String(other), "en", { numeric: true });

  const sort = (table, head, column) => {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row, key: key(row.cells[column]) }));
    const isNumeric = (head.classList.contains("n") || head.classList.contains("r"));
    const before = head.getAttribute("aria-sort");
    // The first click sorts numbers from the largest and words from A.
    const isDown = before ? before === "ascending" : isNumeric;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    rows.sort((one, other) => {
      // Empty cells come last.
      if ((one.key === "") !== (other.key === "")) return one.key === "" ? 1 : -1;
      return isDown ? compare(other.key, one.key) : compare(one.key, other.key);
    });
    body.append(...rows.map((entry) => entry.row));
  };

  for (const table of document.querySelectorAll("table[data-use=sort]")) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const words = head.textContent;
      head.textContent = "";
      makeButton(words, head, () => sort(table, head, column));
    });
    const rows = Array.from(table.tBodies[0].rows);
    if (rows.length < 9) continue;
    const label = make("label", "Only rows with ");
    label.className = "tools";
    const field = make("input", "", label);
    field.type = "search";
    table.parentElement.before(label);
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
  }

  // Commands are copied, or, where the browser does not allow that, selected.

  for (const code of document.querySelectorAll("code[data-use=copy]")) {
    const button = makeButton("Copy", null, () => {
      const select = () => getSelection().selectAllChildren(code);
      if (!navigator.clipboard) return select();
      navigator.clipboard.writeText(code.textContent).then(() => {
        button.textContent = "Copied";
      }, select);
    });
    button.setAttribute("aria-label", "Copy the command");
    code.after(" ", button);
  }

  // The series of single products and countries are drawn on request; the data have the axis of each.

  const ink = "currentColor";
  const draw = (name, attributes, parent, words) => {
    const element = make(name, words, parent, document.createElementNS(SVG, name));
    for (const at in attributes) element.setAttribute(at, attributes[at]);
    return element;
  };

  const show = (set, series, place, id) => {
    place.replaceChildren();
    if (!series) return;
    const [name, [low, high, ...ticks], ...cells] = series;
    // A point is null, a number, or a number with its interval and its state: 1 provisional, 2 partial.
    const points = cells.map((cell) => (cell === null ? null : [].concat(cell)));
    const known = [...points.keys()].filter((at) => points[at]);
    const last = known[known.length - 1];
    const number = (value) => (set.unit ? value.toFixed(2) + set.unit : value.toLocaleString("en"));
    const value = ([middle, from, to, state]) =>
      number(middle) + (from == null ? "" : ` (${from.toFixed(2)} to ${number(to)})`) +
      ["", ", provisional", ", partial"][state || 0];
    const text = (at) => `${set.months[at]}: ${value(points[at])}`;
    const states = known.map((at) => points[at][3]);
    const [least, most] = [1, -1].map((sign) =>
      known.reduce((one, at) => (sign * (points[at][0] - points[one][0]) < 0 ? at : one), last));
    make("h4", `${set.name}: ${name}`, place).id = id + "-title";
    const words = !known.length ? "No month has a number."
      : `In ${text(last)}.` +
        (known.length > 1 ? ` Lowest in ${text(least)}. Highest in ${text(most)}.` : "") +
        (known.some((at) => points[at][2] != null) ? " The band is the 95 % interval." : "") +
        (states.includes(1) ? " Hollow points can still change." : "") +
        (states.includes(2) ? " Crosses: data not complete." : "");
    make("p", words, place).id = id + "-words";
    if (!known.length) return;

    const width = (words) => 7.5 * words.length;
    const left = 10 + Math.max(...ticks.map(width));
    const end = number(points[last][0]);
    const right = 448 - 8 * end.length;
    const top = low > 0 ? 28 : 8;
    const bottom = top + 220;
    const column = (right - left) / points.length;
    const x = (at) => left + column * (at + 0.5);
    const y = (value) => bottom - (220 * (value - low)) / (high - low);
    const spot = (at, part) => `${x(at).toFixed(1)} ${y(points[at][part]).toFixed(1)}`;
    const svg = draw("svg", {
      viewBox: `0 0 460 ${bottom + 24}`, class: "chart", role: "img", "font-size": 12, fill: ink,
      "aria-labelledby": `${id}-title ${id}-words`,
    }, place);
    const label = (x, y, anchor, words) => draw("text", { x, y: y + 4, "text-anchor": anchor }, svg, words);
    if (low > 0) label(0, 8, "start", "axis begins at " + ticks[0]);
    ticks.forEach((tick, at) => {
      const down = bottom - (220 * at) / (ticks.length - 1);
      label(left - 8, down, "end", tick);
      draw("path", { d: `M${left} ${down}H${right}`, stroke: ink, "stroke-opacity": at || low ? 0.16 : 0.7 }, svg);
    });
    const half = width(set.months[0]) / 2;
    const step = Math.ceil((2 * half + 10) / column);
    for (let at = points.length - 1; at >= 0; at -= step) {
      label(Math.max(half, Math.min(460 - half, x(at))), bottom + 14, "middle", set.months[at]);
    }

    /** Returns an outline for each range of months without a gap. */
    const outline = (part, path) => {
      const runs = [];
      for (const at of known.filter((at) => points[at][part] != null)) {
        if (runs.length && runs[0][0] === at - 1) runs[0].unshift(at);
        else runs.unshift([at]);
      }
      return runs.map(path).join("");
    };
    const join = (run, part) => run.map((at) => spot(at, part)).join("L");
    const group = draw("g", { class: "c1", color: "#0072b2", fill: "none", stroke: ink }, svg);
    const band = outline(2, (run) =>
      run.length > 1 ? `M${join(run, 2)}L${join(run.reverse(), 1)}Z`
        : `M${spot(run[0], 2)}m-3 0h6V${y(points[run[0]][1])}h-6Z`);
    draw("path", { d: band, fill: ink, "fill-opacity": 0.16, stroke: "none" }, group);
    draw("path", { d: outline(0, (run) => "M" + join(run, 0)), "stroke-width": 2 }, group);
    for (const at of known) {
      const state = points[at][3];
      const [cx, cy] = [x(at), y(points[at][0])];
      if (state === 2) draw("path", { d: `M${spot(at, 0)}m-4-4l8 8m0-8l-8 8`, "stroke-width": 2 }, group);
      else draw("circle", { cx, cy, r: column < 9 ? 1 : 3, ...(state ? { class: "paper" } : { fill: ink }) }, group);
      draw("rect", {
        x: cx - column / 2, y: top, width: column, height: 220, fill: "transparent",
        "data-v": text(at),
      }, svg);
    }
    label(right + 8, y(points[last][0]), "start", end);
  };

  const block = document.getElementById("choices");
  const sets = block ? JSON.parse(block.textContent) : {};
  for (const box of document.querySelectorAll("[data-use^=choice-]")) {
    const id = box.getAttribute("data-use");
    const set = sets[id.slice("choice-".length)];
    if (!set) continue;
    const label = make("label", "Show ", box);
    const select = make("select", "", label);
    make("option", "all together", select);
    const listed = [null];
    for (const by in set.by) {
      const group = make("optgroup", "", select);
      group.label = by;
      for (const series of set.by[by]) {
        make("option", series[0], group);
        listed.push(series);
      }
    }
    const place = make("div", "", box);
    place.setAttribute("aria-live", "polite");
    select.addEventListener("change", () => show(set, listed[select.selectedIndex], place, id));
  }
})();
