// The studio around the page, if the page stands in its frame: what is chosen here is shown in the
// drawing, and what is chosen there is marked here.
//
// Messages go to a page of the site that this one comes from, and are taken from no other.

const studio = parent !== window && location.protocol.startsWith("http") ? parent : null;

/** The choice of the drawing: its name, and for each element whether it is in it; or null. */
const marked = observable(null);

function tellStudio(message) {
  studio?.postMessage(message, location.origin);
}

/** Shows an element in the drawing. */
function showInDrawing(element) {
  if (element) tellStudio({ type: "element", id: element.id });
}

/** The name of an element; in the studio, a button that shows it in the drawing. */
function elementLink(element, content) {
  if (!studio || !element) return content;
  const title = "Show in the drawing";
  const onclick = (event) => {
    event.stopPropagation();
    showInDrawing(element);
  };
  return html("button", { type: "button", class: "element", title, onclick }, content);
}

/** Marks the elements with these ids, which have a name together; none of them marks nothing. */
function markElements({ name, ids, seen }) {
  if (!Array.isArray(ids) || ids.length === 0) {
    marked.set(null);
    return;
  }
  const chosen = new Set(ids);
  const lit = data.elements.map(({ id }) => chosen.has(id));
  marked.set({ name: String(name), lit });
  if (seen) bringTimeline();
}

/** Scrolls to the space-time diagram, unless all of it is seen. */
function bringTimeline() {
  const chart = document.getElementById("timeline");
  if (!chart) return;
  const { top, bottom } = chart.getBoundingClientRect();
  // The contents stay above what is scrolled.
  const above = document.getElementById("contents").getBoundingClientRect().bottom;
  if (top < above || bottom > innerHeight) chart.scrollIntoView({ block: "center" });
}

/** What is marked, in words. */
function describeMarked() {
  const { name, lit } = marked.get();
  const count = sum(data.elements.map((element, index) => (lit[index] ? element.count : 0)));
  return count === 0 ? `${name} was not executed` : `${name}: ${plural(count, "execution")} marked`;
}

/** Begins to listen; the page must be built. */
function listenToStudio() {
  if (!studio) return;
  addEventListener("message", ({ source, origin, data: message }) => {
    if (source !== studio || origin !== location.origin) return;
    if (message?.type === "mark") markElements(message);
  });
  followAddress((fragment) => tellStudio({ type: "address", fragment }));
  tellStudio({ type: "ready" });
}
