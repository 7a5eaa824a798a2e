// The page: all views that there is data for.

const data = loadData();
const modelName = data.workflow;

function overviewView() {
  const lead = data.left_out.length > 0 ? `Left out: ${data.left_out.join(", ")}.` : "";
  return section("overview", "Prediction", lead, definitions(data.facts));
}

function tableView(id, title, lead, columns, rows) {
  if (rows.length === 0) return null;
  return section(id, title, lead, rowsTable(`${id}-table`, title, columns, rows));
}

const VIEWS = [
  overviewView,
  ganttView,
  () =>
    tableView(
      "path",
      "Critical path",
      "The tasks that determine the makespan: each waited for the one before it.",
      [["task"], ["host"], ["start", formatTime], ["end", formatTime], ["waited for"]],
      data.path,
    ),
  () =>
    tableView(
      "what-if",
      "What if",
      "If the tasks of one type were twice as fast: each row is a simulation.",
      [
        ["type"],
        ["tasks", formatCount],
        ["busy", formatTime],
        ["makespan", formatTime],
        ["saved", formatTime],
      ],
      data.what_if,
    ),
  () =>
    tableView(
      "sites",
      "Sites",
      "",
      [
        ["site"],
        ["cores", formatCount],
        ["tasks", formatCount],
        ["core hours", formatPlain],
        ["utilization", formatPercent],
        ["by others", formatPercent],
        ["cost", formatPlain],
      ],
      data.sites,
    ),
  () =>
    tableView(
      "hosts",
      "Hosts",
      "",
      [
        ["host"],
        ["cores", formatCount],
        ["tasks", formatCount],
        ["busy", formatTime],
        ["utilization", formatPercent],
      ],
      data.hosts,
    ),
];

function overviewHeader() {
  return [
    html("p", { class: "kicker" }, "Performance Prophet"),
    html("h1", {}, data.workflow),
    html("p", { class: "subtitle" }, data.facts[0].join(" ")),
  ];
}

fillPage(overviewHeader(), VIEWS, "Performance Prophet");
