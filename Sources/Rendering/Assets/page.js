"use strict";
// Adds comfort to the page, and only that: without this script everything is there to read.
(() => {
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

  // Tables: the heading of a column sorts its rows, a field above the table filters them.

  /** Returns a number for digits such as 1,234.5 or 13.15%, else the words. */
  const key = (cell) => {
    const words = cell ? cell.textContent.trim() : "";
    const digits = words.replace(/[,%\s]/g, "").replace("\u2212", "-");
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
    table.parentElement.prepend(label);
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
})();
