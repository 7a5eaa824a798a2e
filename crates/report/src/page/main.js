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
