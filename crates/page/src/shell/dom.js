// Making elements. Text is always a text node, and never markup: it may be a stranger's.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  // `append` makes text nodes of strings.
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element; functions under `onclick` and the like become listeners. */
function html(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A bar for a share of the longest bar in a column. */
function bar(share, name = "accent") {
  const inner = html("span", { class: `fill ${name}` });
  inner.style.width = `${Math.min(Math.max(share, 0), 1) * 100}%`;
  return html("span", { class: "bar", "aria-hidden": "true" }, inner);
}

/** An answer to one of the first questions, with a bar for its share. */
function answer(color, share, ...words) {
  return html("li", {}, bar(share, color), html("span", {}, words));
}

function answerList(answers) {
  return html("ul", { class: "answers" }, answers);
}

/** A part of the page with a heading; `lead` says in a sentence how to read it. */
function section(id, title, lead, ...children) {
  const heading = html("h2", { id: `${id}-title` }, title);
  const text = lead ? html("p", { class: "lead" }, lead) : null;
  return html("section", { id, "aria-labelledby": `${id}-title` }, heading, text, ...children);
}

function figure(title, ...children) {
  return html("figure", {}, html("figcaption", {}, title), ...children);
}

function definitions(entries) {
  const list = html("dl", {});
  for (const [name, value] of entries) {
    list.append(html("div", {}, html("dt", {}, name), html("dd", {}, value)));
  }
  return list;
}

/** A value that others follow. */
function observable(value) {
  const followers = [];
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const follower of followers) follower(value);
    },
    follow(follower) {
      followers.push(follower);
      follower(value);
    },
  };
}

/** Says something to those who listen to the page. */
const announce = (() => {
  const region = html("div", { class: "hidden", role: "status", "aria-live": "polite" });
  document.body.append(region);
  return (text) => {
    region.textContent = text;
  };
})();
