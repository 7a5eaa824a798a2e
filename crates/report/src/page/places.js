// Where the model has an element: a text to copy, and no link, since a page may lie anywhere.

/** A button with the line of an element, which copies it. */
function placeButton({ line, path }) {
  const button = html("button", { type: "button", class: "place", title: path || line }, line);
  button.setAttribute("aria-label", `Copy ${line}`);
  button.addEventListener("click", async () => {
    button.textContent = (await copyText(line)) ? "copied" : line;
    setTimeout(() => {
      button.textContent = line;
    }, 1500);
  });
  return button;
}

/** The column of a table for that, if the page knows of any; `elementOf` gives a row's element. */
function placeColumns(elementOf) {
  if (!data.elements.some((element) => element.place)) return [];
  const placeOf = (row) => elementOf(row)?.place;
  return [
    {
      title: "Model",
      value: (row) => placeOf(row)?.line ?? "",
      cell: (row) => (placeOf(row) ? placeButton(placeOf(row)) : ""),
    },
  ];
}
