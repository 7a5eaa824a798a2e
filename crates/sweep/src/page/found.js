// What goals have found, in tables: the least value, the best compromises.

/** The first results by which a reader judges a point, in addition to what was asked for. */
function columnsOf({ columns }) {
  const [time] = MEASURES;
  return time && !columns.includes(time) ? [...columns, time] : columns;
}

function foundFigure(mark, place) {
  const rows = [...mark.rows, ...mark.next];
  const next = `Behind the best one, the next ${formatCount(mark.next.length)}.`;
  const words = [mark.about];
  if (mark.next.length > 0) words.push(next);
  if (rows.length > FRONT_LISTED_MAX) words.push(`The first ${FRONT_LISTED_MAX} are listed.`);
  const box = { class: "table", role: "region", "aria-label": mark.title, tabindex: 0 };
  return figure(
    mark.title,
    html("p", { class: "meaning" }, words.join(" ")),
    html("div", box, pointsTable(`found-${place}`, rows, columnsOf(mark))),
  );
}

function foundView() {
  if (MARKED.length === 0) return null;
  return section("found", "What was found", null, MARKED.map(foundFigure));
}
