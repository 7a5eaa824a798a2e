// The page: all views that there is data for.

const VIEWS = [
  runView,
  processesView,
  timelineSection,
  criticalPathView,
  whatIfView,
  imbalanceView,
  diagramsView,
  matrixView,
  utilizationView,
  networkView,
  compareView,
];

function contents(views) {
  const links = views.map((view) => {
    const title = view.querySelector("h2").textContent;
    return html("li", {}, html("a", { href: `#${view.id}` }, title));
  });
  return html("ul", {}, links);
}

function buildPage() {
  document.getElementById("header").append(...overviewHeader());
  const views = VIEWS.map((view) => view()).filter((view) => view !== null);
  document.getElementById("main").append(...views);
  document.getElementById("contents").append(contents(views), findBar());
  const version = data.run.versions.map(({ name, value }) => `${name} ${value}`).join(" · ");
  document.getElementById("footer").append(version);
  shareSection(views);
  startAddress();
}

buildPage();
listenToStudio();

// For tests and for the console: the numbers behind each chart.
window.report = {
  data,
  simulatedTime,
  selectedProcess,
  selectedRange,
  charts: chartRegistry,
  read: (id) => chartRegistry[id].read(),
};
