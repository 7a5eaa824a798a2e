// Legends and labeled controls, whose values are in the address.

/** A colored square and a name for each entry: `[color variable, name]`. */
function legend(entries) {
  const items = entries.map(([name, title, detail]) =>
    html(
      "li",
      {},
      html("span", { class: `swatch ${name}`, "aria-hidden": "true" }),
      title,
      detail ? html("span", { class: "detail" }, detail) : null,
    ),
  );
  return html("ul", { class: "legend" }, items);
}

/** A labeled control. */
function control(label, input) {
  return html("label", { class: "control" }, html("span", {}, label), input);
}

function select(id, options, change) {
  const choices = options.map(([value, title]) => html("option", { value }, title));
  const input = html("select", { id, onchange: (event) => change(event.target.value) }, choices);
  inAddress(id, {
    write: () => input.value,
    read(text) {
      if (!options.some(([value]) => String(value) === text)) return;
      input.value = text;
      change(text);
    },
  });
  return input;
}

function rampLegend(low, high) {
  const steps = Array.from({ length: 5 }, (_, index) => html("span", { class: `ramp${index}` }));
  return html(
    "span",
    { class: "ramp" },
    html("span", {}, low),
    html("span", { class: "steps", "aria-hidden": "true" }, steps),
    html("span", {}, high),
  );
}
