// The table of contents.

function contents(views) {
  const links = views.map((view) => {
    const title = view.querySelector("h2").textContent;
    return html("li", {}, html("a", { href: `#${view.id}` }, title));
  });
  return html("ul", {}, links);
}
