// What was run, and what came out.

function describeRun(run) {
  const nodes = plural(run.nodes, "node");
  const cpus = `${plural(run.cpus_per_node, "CPU")}${run.nodes === 1 ? "" : " each"}`;
  const units = run.threads === 1 ? "" : ` of ${plural(run.threads, "thread")}`;
  const processes = plural(run.processes, "process", "processes");
  return `${processes}${units} on ${nodes} with ${cpus}`;
}

function overviewHeader() {
  const { run } = data;
  const label = run.partial ? "Predicted, at least (interrupted)" : "Predicted time";
  return [
    html("p", { class: "kicker" }, "Performance Prophet"),
    html("h1", {}, run.model),
    html("p", { class: "subtitle" }, describeRun(run)),
    html(
      "p",
      { class: "prediction" },
      html("span", { class: "label" }, label),
      " ",
      html("strong", { id: "predicted-time" }, formatTime(run.predicted_time_s, 5)),
    ),
  ];
}

function evaluationFacts(evaluation) {
  const facts = [
    ["Engine", evaluation.engine],
    ["Evaluated in", formatTime(evaluation.wall_s, 3)],
  ];
  if (evaluation.cpu_s > 0) facts.push(["CPU time", formatTime(evaluation.cpu_s, 3)]);
  facts.push(["Events", formatCount(evaluation.events)]);
  facts.push(["Messages", formatCount(evaluation.messages)]);
  if (evaluation.peak_memory_bytes > 0) {
    facts.push(["Peak memory", formatBytes(evaluation.peak_memory_bytes)]);
  }
  return facts;
}

function runView() {
  const { run } = data;
  const pairs = (facts) => facts.map(({ name, value }) => [name, value]);
  const groups = [
    ["Parameters", pairs(run.parameters)],
    [
      "System",
      [
        ["Machine", run.machine],
        ["Seed", run.seed],
      ],
    ],
    ["Evaluation", run.evaluation ? evaluationFacts(run.evaluation) : []],
    ["Energy", pairs(run.energy ?? [])],
    ["Versions", pairs(run.versions)],
  ].filter(([, facts]) => facts.length > 0);
  const blocks = groups.map(([title, facts]) =>
    html("div", { class: "facts" }, html("h3", {}, title), definitions(facts)),
  );
  return section("run", "What was run", null, html("div", { class: "columns" }, blocks));
}
