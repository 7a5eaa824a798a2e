// Tables that sort by a click on, or Enter in, the head of a column.

const TABLE_ROWS_FIRST = 100;

function compareValues(a, b) {
  if (typeof a === "string") return a.localeCompare(b, "en", { numeric: true });
  return a - b;
}

function tableRow(columns, entry) {
  const cells = columns.map((column, index) => {
    const text = column.cell ? column.cell(entry) : column.value(entry);
    const content = column.element ? elementLink(column.element(entry), text) : text;
    const attributes = { class: column.numeric ? "number" : undefined };
    if (index > 0) return html("td", attributes, content);
    return html("th", { ...attributes, scope: "row" }, content);
  });
  const named = columns.find((column) => column.element);
  return html("tr", named ? { onclick: () => showInDrawing(named.element(entry)) } : {}, cells);
}

/** The head of each column: a button that sorts. */
function tableHeads(columns, sortBy) {
  return columns.map((column, index) => {
    const button = html("button", { type: "button", onclick: () => sortBy(index) }, column.title);
    return html("th", { scope: "col", class: column.numeric ? "number" : undefined }, button);
  });
}

/**
 * A table of `rows`. A column has a `title`, a `value` to sort by, and `cell` to show if that
 * differs; `numeric` ones are right-aligned and begin with the largest. `sort` is the index of
 * the column to begin with. A column whose `element` gives a row's element shows only the rows
 * of elements that are looked for, and leads to the drawing in a studio.
 */
function sortableTable({ id, caption, columns, rows, sort = 0, descending }) {
  const first = descending ?? Boolean(columns[sort].numeric);
  const named = columns.find((column) => column.element);
  const state = { column: sort, descending: first, all: false, rows };
  const showAll = () => {
    state.all = true;
    show();
  };
  const body = html("tbody", {});
  const more = html("button", { type: "button", class: "more", onclick: showAll });
  const heads = tableHeads(columns, sortBy);
  const head = html("thead", {}, html("tr", {}, heads));
  const table = html("table", { id }, html("caption", {}, caption), head, body);
  const way = () => (state.descending ? "descending" : "ascending");

  function sortBy(index) {
    const same = state.column === index;
    state.descending = same ? !state.descending : Boolean(columns[index].numeric);
    state.column = index;
    show();
    announce(`Sorted by ${columns[index].title}, ${way()}.`);
  }

  function show() {
    const { value } = columns[state.column];
    const listed = named ? state.rows.filter((row) => isFound(named.element(row))) : state.rows;
    const sign = state.descending ? -1 : 1;
    const sorted = [...listed].sort((a, b) => sign * compareValues(value(a), value(b)));
    const shown = state.all ? sorted : sorted.slice(0, TABLE_ROWS_FIRST);
    body.replaceChildren(...shown.map((entry) => tableRow(columns, entry)));
    if (listed.length < state.rows.length && listed.length === 0) {
      const nothing = "No element here has this in its name or type.";
      body.append(html("tr", {}, html("td", { colspan: columns.length }, nothing)));
    }
    for (const [index, cell] of heads.entries()) {
      cell.setAttribute("aria-sort", index === state.column ? way() : "none");
    }
    more.hidden = shown.length === sorted.length;
    more.textContent = `Show all ${formatCount(sorted.length)} rows`;
  }

  /** Shows other rows, and other titles of the columns that are named by index. */
  function setRows(next, titles) {
    state.rows = next;
    for (const [index, title] of Object.entries(titles)) {
      columns[index].title = title;
      heads[index].firstChild.textContent = title;
    }
    show();
  }

  inAddress(`sort-${id}`, {
    write: () => `${state.column}${state.descending ? "d" : "a"}`,
    read(text) {
      const [, column, order] = text.match(/^(\d{1,2})([ad])$/) ?? [];
      if (!columns[column]) return;
      [state.column, state.descending] = [Number(column), order === "d"];
      show();
    },
  });
  if (named) wanted.follow(show);
  else show();
  const region = { class: "table", role: "region", "aria-label": caption, tabindex: 0 };
  return { node: html("div", region, table, more), table, setRows };
}

/** A bar of parts that sum to at most 1: `[name, share]`. */
function stackedBar(parts) {
  const fills = parts.map(([name, share]) => {
    const part = html("span", { class: `fill ${name}` });
    part.style.width = `${Math.max(share, 0) * 100}%`;
    return part;
  });
  return html("span", { class: "bar", "aria-hidden": "true" }, fills);
}
