// The page: all views that there is data for.

function buildPage() {
  document.getElementById("header").append(...overviewHeader());
  const views = [runView()].filter((view) => view !== null);
  document.getElementById("main").append(...views);
  const links = views.map((view) => {
    const title = view.querySelector("h2").textContent;
    return html("li", {}, html("a", { href: `#${view.id}` }, title));
  });
  document.getElementById("contents").append(html("ul", {}, links));
}

buildPage();
