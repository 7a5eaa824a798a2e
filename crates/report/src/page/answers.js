// The answers to the first questions: what takes the time, what waiting costs, what a change gains.

/** Sums over all processes of columns of the totals, by element. */
function timesByElement(columns) {
  const times = new Float64Array(data.elements.length);
  for (const column of columns) {
    data.totals[column].forEach((seconds, row) => {
      times[data.totals.element[row]] += seconds;
    });
  }
  return times;
}

/** The place of the largest value; -1 if none is above 0. */
function largest(values) {
  return values.reduce((best, value, place) => (value > (values[best] ?? 0) ? place : best), -1);
}

const named = (index) => html("strong", {}, elementLink(data.elements[index], elementName(index)));

/** What takes the time: of elements in elements, each has what is its own. */
function timeAnswer(all) {
  const own = timesByElement(PARTS.map(([, , column]) => column));
  const shares = sum(own) > 0 ? own.map((seconds) => seconds / all) : null;
  const known = shares ?? Float64Array.from(data.elements, ({ share }) => share);
  const most = largest(known);
  if (most < 0) return null;
  const share = formatPercent(known[most]);
  return answer("compute", known[most], named(most), ` takes ${share} of the processes' time.`);
}

/** What waiting costs, and where. */
function waitAnswer(all) {
  const share = sum(data.processes.wait_s) / all;
  const part = formatPercent(share);
  if (share < 0.005) return answer("wait", share, `Processes hardly wait: ${part} of their time.`);
  const waits = timesByElement(["wait_s"]);
  const where = largest(waits);
  const longest = largest(data.processes.wait_s);
  const place = where < 0 ? [] : [`, ${formatPercent(waits[where] / sum(waits))} of that in `];
  return answer(
    "wait",
    share,
    `Processes wait for ${part} of their time`,
    ...place,
    ...(where < 0 ? [] : [named(where)]),
    `. Process ${processNumber(longest)} waits the longest, `,
    `${formatTime(data.processes.wait_s[longest])}.`,
  );
}

/** What the change that gains the most would bring. */
function gainAnswer() {
  // They come with the largest gain first.
  const first = data.what_if?.elements[0];
  const share = (first?.gain_s ?? 0) / data.run.predicted_time_s;
  if (!(share > 0.0005)) return null;
  return answer(
    "accent",
    share,
    "If ",
    named(first.element),
    ` took ${formatPercent(data.what_if.reduction, 0)} less time, the run would end `,
    `${first.exact ? "" : "at most "}${formatTime(first.gain_s)} (${formatPercent(share)}) sooner.`,
  );
}

/** The notes on the run, and the answers. */
function answersView() {
  const all = sum(PARTS.map(([, , column]) => sum(data.processes[column])));
  const answers = all > 0 ? [timeAnswer(all), waitAnswer(all), gainAnswer()].filter(Boolean) : [];
  const notes = data.notes.map((note) => html("p", { class: "note" }, note));
  if (answers.length + notes.length === 0) return null;
  return section("answers", "In short", null, notes, answerList(answers));
}
