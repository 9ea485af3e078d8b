"use strict";
(() => {
  const entries = Array.from(document.querySelectorAll(".entry"));
  const texts = new Map();
  const filter = document.getElementById("filter");
  const boxes = Array.from(document.querySelectorAll("[data-kind]"));
  const count = document.getElementById("count");
  const textOf = (entry) => {
    if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
    return texts.get(entry);
  };
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.dataset.kind));
    let shown = 0;
    for (const entry of entries) {
      const visible = !off.has(entry.dataset.entryKind) && words.every((word) => textOf(entry).includes(word));
      entry.hidden = !visible;
      shown += visible ? 1 : 0;
    }
    // What is looked for is in the folded list of resources.
    if (words.length) document.querySelectorAll(".resources").forEach((list) => { list.open = true; });
    count.textContent = shown === entries.length ? "" : shown + " of " + entries.length;
  };
  // A link to an entry opens the list that it is in.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const list = target && target.closest("details");
    if (list && !list.open) { list.open = true; target.scrollIntoView(); }
  };
  window.addEventListener("hashchange", reveal);
  reveal();
  const fold = (open) => entries.forEach((entry) => { if (!entry.hidden) entry.open = open; });
  document.getElementById("tools").hidden = false;
  document.getElementById("open").addEventListener("click", () => fold(true));
  document.getElementById("close").addEventListener("click", () => fold(false));
  filter.addEventListener("input", apply);
  boxes.forEach((box) => box.addEventListener("change", apply));
})();
