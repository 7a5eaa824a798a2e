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

fillPage(overviewHeader(), VIEWS, "Performance Prophet");

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
