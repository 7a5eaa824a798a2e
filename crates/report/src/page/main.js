// The page: all views that there is data for.

const VIEWS = [
  answersView,
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
  runView,
];

const versions = data.run.versions.map(({ name, value }) => `${name} ${value}`);

fillPage(overviewHeader(), VIEWS, versions.join(" · "), () => [findBar()]);
listenToStudio();

// For tests and for the console: the numbers behind each chart.
window.report = {
  data,
  simulatedTime,
  selectedProcess,
  selectedRange,
  charts: chartRegistry,
  read(id) {
    chartRegistry[id].paintNow();
    return chartRegistry[id].read();
  },
};
