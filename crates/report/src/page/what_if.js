// Load imbalance, and what faster elements would bring.

function efficiency(title, value, meaning) {
  return html(
    "div",
    { class: "figure" },
    html("strong", {}, formatPercent(value)),
    html("span", { class: "title" }, title),
    html("span", { class: "meaning" }, meaning),
  );
}

function imbalanceTable(elements) {
  const most = maximum(elements.map((row) => row.max_s - row.mean_s)) || 1;
  const unit = timeColumn(maximum(elements.map((row) => row.max_s)));
  const columns = [
    {
      title: "Element",
      value: (row) => elementName(row.element),
      element: (row) => data.elements[row.element],
    },
    {
      title: `Mean (${unit.name})`,
      numeric: true,
      value: (row) => row.mean_s,
      cell: (row) => unit.format(row.mean_s),
    },
    {
      title: `Longest (${unit.name})`,
      numeric: true,
      value: (row) => row.max_s,
      cell: (row) => unit.format(row.max_s),
    },
    {
      title: "in process",
      numeric: true,
      value: (row) => row.max_pid,
      cell: (row) => String(row.max_pid),
    },
    {
      title: `Above mean (${unit.name})`,
      numeric: true,
      value: (row) => row.max_s - row.mean_s,
      cell: (row) => [unit.format(row.max_s - row.mean_s), bar((row.max_s - row.mean_s) / most)],
    },
  ];
  return sortableTable({
    id: "imbalance-table",
    caption: "Elements by how unevenly they take time",
    columns,
    rows: elements,
    sort: 4,
  }).node;
}

function imbalanceView() {
  const { imbalance } = data;
  if (!imbalance) return null;
  const figures = html(
    "div",
    { class: "figures" },
    efficiency("Load balance", imbalance.load_balance, "mean by longest computing"),
    efficiency(
      "Communication efficiency",
      imbalance.communication_efficiency,
      "longest computing by predicted time",
    ),
    efficiency("Parallel efficiency", imbalance.parallel_efficiency, "the product of both"),
  );
  const { max_compute_pid: pid, max_compute_s: most, mean_compute_s: mean } = imbalance;
  return section(
    "imbalance",
    "Load balance",
    `Process ${pid} computes the longest: ${formatTime(most)}; the mean is ${formatTime(mean)}.`,
    figures,
    imbalance.elements.length > 0 ? imbalanceTable(imbalance.elements) : null,
  );
}

function whatIfView() {
  const { what_if: whatIf } = data;
  if (!whatIf || whatIf.elements.length === 0) return null;
  const now = data.run.predicted_time_s || 1;
  const most = maximum(whatIf.elements.map((row) => row.gain_s)) || 1;
  const unit = timeColumn(now);
  const gain = timeColumn(most);
  const columns = [
    {
      title: "Element",
      value: (row) => elementName(row.element),
      element: (row) => data.elements[row.element],
    },
    { title: "Type", value: (row) => data.elements[row.element]?.type ?? "" },
    {
      title: `Predicted (${unit.name})`,
      numeric: true,
      value: (row) => row.predicted_time_s,
      cell: (row) => unit.format(row.predicted_time_s),
    },
    {
      title: `Gain (${gain.name})`,
      numeric: true,
      value: (row) => row.gain_s,
      cell: (row) => gain.format(row.gain_s),
    },
    {
      title: "Gain",
      numeric: true,
      value: (row) => row.gain_s / now,
      cell: (row) => [formatPercent(row.gain_s / now, 2), bar(row.gain_s / most)],
    },
    { title: "Known", value: (row) => (row.exact ? "exactly" : "at most") },
    ...placeColumns((row) => data.elements[row.element]),
  ];
  const table = sortableTable({
    id: "what-if-table",
    caption: `If one element took ${formatPercent(whatIf.reduction, 0)} less time`,
    columns,
    rows: whatIf.elements,
    sort: 4,
  });
  return section("what-if", "What if", whatIf.method, table.node);
}
