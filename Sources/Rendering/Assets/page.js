"use strict";
// Adds comfort to the page, and only that: without this script everything is there to read.
(() => {
  const SVG = "http://www.w3.org/2000/svg";

  /** Makes an element with words, at the end of another one. */
  const make = (name, words, parent) => {
    const element = document.createElement(name);
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
    const isNumeric = head.classList.contains("n");
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

  // The series of single products and countries are drawn on request.

  const draw = (name, attributes, parent, words) => {
    const element = document.createElementNS(SVG, name);
    for (const at in attributes) element.setAttribute(at, attributes[at]);
    if (words) element.textContent = words;
    parent.append(element);
    return element;
  };

  const show = (set, series, place) => {
    place.replaceChildren();
    if (!series) return;
    const [name, ...cells] = series;
    // A point is null, a number, or a number with its interval.
    const points = cells.map((cell) => (cell === null ? null : [].concat(cell)));
    const known = points.filter((point) => point);
    const text = (point) =>
      point[0] + set.unit + (point.length > 1 ? ` (${point[1]} to ${point[2]}${set.unit})` : "");
    const title = `${set.name}: ${name}`;
    make("h4", title, place);
    if (known.length < 2) {
      make("p", "Too few months for a line.", place);
      return;
    }
    const all = known.flat();
    const low = Math.min(...all);
    const high = Math.max(...all, low + 1e-9);
    const x = (index) => 44 + (index * 420) / Math.max(1, points.length - 1);
    const y = (value) => 150 - ((value - low) * 130) / (high - low);
    const svg = draw("svg", {
      viewBox: "0 0 480 180", width: 480, height: 180, class: "chart", role: "img",
      "aria-label": `${title}, from ${text(known[0])} to ${text(known[known.length - 1])}`,
    }, place);
    const label = (at, down, anchor, words) =>
      draw("text", {
        x: at, y: down, "text-anchor": anchor, "font-size": 12, fill: "currentColor",
      }, svg, words);
    label(40, y(high) + 4, "end", high + set.unit);
    label(40, y(low) + 4, "end", low + set.unit);
    label(x(0), 172, "start", set.months[0]);
    label(x(points.length - 1), 172, "end", set.months[points.length - 1]);
    let isOpen = false;
    let line = "";
    points.forEach((point, index) => {
      if (point) line += `${isOpen ? "L" : "M"}${x(index).toFixed(1)} ${y(point[0]).toFixed(1)}`;
      isOpen = Boolean(point);
    });
    const group = draw("g", { class: "c1", color: "#1f5fa8" }, svg);
    draw("path", { d: line, fill: "none", stroke: "currentColor", "stroke-width": 2 }, group);
    points.forEach((point, index) => {
      if (!point) return;
      if (point.length > 1) {
        draw("line", {
          x1: x(index), x2: x(index), y1: y(point[1]), y2: y(point[2]), stroke: "currentColor",
        }, group);
      }
      draw("circle", {
        cx: x(index), cy: y(point[0]), r: 4, fill: "currentColor",
        "data-v": `${set.months[index]}: ${text(point)}`,
      }, group);
    });
  };

  const block = document.getElementById("choices");
  const sets = block ? JSON.parse(block.textContent) : {};
  for (const box of document.querySelectorAll("[data-use^=choice-]")) {
    const set = sets[box.getAttribute("data-use").slice("choice-".length)];
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
    select.addEventListener("change", () => show(set, listed[select.selectedIndex], place));
  }
})();
