// The page: all views that there is data for.

const data = loadData();
const modelName = data.workflow;

/** The type of tasks that takes the most time. */
function timeAnswer() {
  const rows = data.what_if.toSorted((a, b) => b[2] - a[2]);
  const share = rows.length > 0 ? rows[0][2] / sum(rows.map((row) => row[2])) : 0;
  if (!(share > 0)) return null;
  const words = ` takes ${formatPercent(share)} of the time of all tasks.`;
  return answer("accent", share, html("strong", {}, rows[0][0]), words);
}

/** How often the critical path waited for cores. */
function waitAnswer() {
  const { length } = data.path;
  const waited = data.path.filter((row) => row[4] === "cores").length;
  if (length === 0) return null;
  const tasks = plural(length, "task");
  const words = `Of ${tasks} on the critical path, ${waited || "none"} waited for cores.`;
  return answer("wait", waited / length, words);
}

/** The type of tasks by which the workflow gains the most. */
function gainAnswer() {
  const [first] = data.what_if.toSorted((a, b) => b[4] - a[4]);
  if (!first || !(first[4] > 0)) return null;
  const share = first[4] / (first[3] + first[4]);
  const end = `the workflow would end ${formatTime(first[4])} (${formatPercent(share)}) sooner.`;
  const words = ["If ", html("strong", {}, first[0]), ` took half the time, ${end}`];
  return answer("accent", share, words);
}

function overviewView() {
  const lead = data.left_out.length > 0 ? `Left out: ${data.left_out.join(", ")}.` : "";
  const answers = [timeAnswer(), waitAnswer(), gainAnswer()].filter(Boolean);
  return section("overview", "In short", lead, answerList(answers), definitions(data.facts));
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
    html("p", { class: "subtitle" }, "workflow"),
    html(
      "p",
      { class: "prediction" },
      html("span", { class: "label" }, data.facts[0][0]),
      " ",
      html("strong", {}, data.facts[0][1]),
    ),
  ];
}

fillPage(overviewHeader(), VIEWS, "Performance Prophet");
