// Finding elements: by a part of the name or of the type. What lists elements lists those alone.

const FIND_LENGTH_MAX = 200;

/** What is looked for, in lower case; nothing finds all. */
const wanted = observable("");

/** Whether an element is one of those that are looked for. */
function isFound(element) {
  const needle = wanted.get();
  if (needle === "") return true;
  return (
    element !== undefined &&
    (element.name.toLowerCase().includes(needle) || element.type.toLowerCase().includes(needle))
  );
}

/** Whether an element, by index, stands out: it is looked for, and marked where any is. */
function isLit(index) {
  const chosen = marked.get();
  return isFound(data.elements[index]) && (chosen === null || chosen.lit[index] === true);
}

function findBar() {
  const count = html("output", { id: "find-count", for: "find" });
  const input = html("input", {
    id: "find",
    type: "search",
    maxlength: FIND_LENGTH_MAX,
    placeholder: "Find element ( / )",
    "aria-label": "Find element",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => wanted.set(input.value.toLowerCase()),
    onkeydown: (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      input.value = "";
      wanted.set("");
    },
  });
  wanted.follow((needle) => {
    const hits = data.elements.filter(isFound).length;
    count.textContent =
      needle === "" ? "" : `${formatCount(hits)} of ${plural(data.elements.length, "element")}`;
    count.classList.toggle("none", hits === 0);
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  inAddress("find", {
    write: () => wanted.get(),
    read(text) {
      input.value = text.slice(0, FIND_LENGTH_MAX);
      wanted.set(input.value.toLowerCase());
    },
  });
  return html("div", { class: "find", role: "search" }, input, count);
}
