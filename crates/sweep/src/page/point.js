// The chosen point, and its command line.

/** The row that was found first, or the best one by the first result; -1 without such a row. */
function firstRow() {
  const [found] = MARKED.flatMap(({ rows }) => rows);
  return found ?? (MEASURES.length > 0 ? bestRow(MEASURES[0]) : ROWS - 1);
}

/** The row of the chosen point; -1 if there is no such row. */
const selectedRow = observable(firstRow());

/** A word for a shell of POSIX, in quotes if it needs them. */
function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function commandLine(row) {
  const words = table.parameters.map(
    ({ before, values, place }) => before + shellWord(values[place[row]]),
  );
  return [data.command, ...words].join(" ") + data.command_end;
}

function pointName(row) {
  return `Point ${formatCount(table.index[row])}`;
}

function choosePoint(row, bring) {
  selectedRow.set(row);
  announce(`${pointName(row)}: ${describeRow(row).map((pair) => pair.join(" ")).join(", ")}`);
  if (bring) document.getElementById("point").scrollIntoView();
}

/** A button that copies the command line of a point. */
function copyButton(row, title = "copy") {
  const attributes = {
    type: "button",
    class: "place",
    "aria-label": `Copy the command line of point ${table.index[row]}`,
  };
  const button = html("button", attributes, title);
  button.addEventListener("click", async (event) => {
    event.stopPropagation();
    button.textContent = (await copyText(commandLine(row))) ? "copied" : title;
    setTimeout(() => {
      button.textContent = title;
    }, 1500);
  });
  return button;
}

/** A link to a point: its address leads there from anywhere. */
function pointLink(row) {
  const point = table.index[row];
  const onclick = (event) => {
    event.preventDefault();
    event.stopPropagation();
    choosePoint(row, true);
  };
  return html("a", { href: `#point=${point}`, onclick }, formatCount(point));
}

function measureFacts(row) {
  const facts = MEASURES.map((column) => {
    const half = column.half(row);
    const range = Number.isNaN(half) ? "" : ` ± ${column.format(half)}`;
    return [column.name, column.text(row) + range];
  });
  if (table.seeds[row] > 1) facts.push(["seeds", formatCount(table.seeds[row])]);
  return facts;
}

function pointView() {
  if (ROWS === 0) return null;
  const box = html("div", {});
  const facts = (title, pairs) =>
    html("div", { class: "facts" }, html("h3", {}, title), definitions(pairs));
  selectedRow.follow((row) => {
    if (row < 0) {
      box.replaceChildren(html("p", {}, "No point has a result."));
      return;
    }
    const failure = table.failure[row];
    box.replaceChildren(
      html("p", { class: "command" }, html("code", {}, commandLine(row)), copyButton(row, "Copy")),
      html(
        "div",
        { class: "columns" },
        facts(`${pointName(row)}: parameters`, PARAMETERS.map((it) => [it.name, it.text(row)])),
        failure > 0
          ? html("p", { class: "note" }, table.failures[failure - 1])
          : facts("Results", measureFacts(row)),
      ),
    );
  });
  inAddress("point", {
    write: () => (selectedRow.get() < 0 ? "" : String(table.index[selectedRow.get()])),
    read(text) {
      const row = /^\d{1,16}$/.test(text) ? rowOfPoint(Number(text)) : -1;
      if (row >= 0) selectedRow.set(row);
    },
  });
  const found = MARKED.length > 0;
  const first = found ? "first point that was found" : "best point by the first result";
  const lead = `The ${first}, until another one is chosen in a chart or a table.`;
  return section("point", "One point", lead, box);
}
