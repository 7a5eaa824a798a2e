// The parts of a page, and its table of contents.

function contents(views) {
  const links = views.map((view) => {
    const title = view.querySelector("h2").textContent;
    return html("li", {}, html("a", { href: `#${view.id}` }, title));
  });
  return html("ul", {}, links);
}

/** Fills the page with the views that have data; `beside` makes what follows the contents. */
function fillPage(header, makers, footer, beside = () => []) {
  document.getElementById("header").append(...header);
  const views = makers.map((view) => view()).filter((view) => view !== null);
  document.getElementById("main").append(...views);
  document.getElementById("contents").append(contents(views), ...beside());
  document.getElementById("footer").append(footer);
  shareSection(views);
  startAddress();
}
