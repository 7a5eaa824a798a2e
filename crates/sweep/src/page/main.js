// The page: all views that there is data for.

const VIEWS = [
  overviewView,
  foundView,
  pointView,
  scalingView,
  heatView,
  frontView,
  influenceView,
  parallelView,
  gridView,
];

function buildPage() {
  document.getElementById("header").append(...overviewHeader());
  const views = VIEWS.map((view) => view()).filter((view) => view !== null);
  document.getElementById("main").append(...views);
  document.getElementById("contents").append(contents(views));
  document.getElementById("footer").append("Performance Prophet");
  shareSection(views);
  startAddress();
}

buildPage();

// For tests and for the console: the numbers behind each chart.
window.sweep = {
  data,
  filters,
  shownRows,
  selectedRow,
  plots,
  commandLine,
  rows: () => grid.rows(),
  read: (id) => plots[id].read(),
};
