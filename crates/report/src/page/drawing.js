// Activity diagrams: what of a drawing gets on the page, and the colors of its elements.

const SVG_ELEMENTS = new Set([
  "svg",
  "g",
  "path",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polyline",
  "polygon",
  "text",
  "tspan",
  "title",
  "desc",
  "defs",
  "marker",
]);
const SVG_ATTRIBUTES = new Set([
  "class",
  "id",
  "data-element",
  "data-links",
  "data-name",
  "role",
  "aria-label",
  "viewBox",
  "transform",
  "d",
  "points",
  "x",
  "y",
  "x1",
  "y1",
  "x2",
  "y2",
  "dx",
  "dy",
  "cx",
  "cy",
  "r",
  "rx",
  "ry",
  "width",
  "height",
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "opacity",
  "fill-opacity",
  "font-size",
  "font-family",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
  "marker-end",
  "marker-start",
  "markerWidth",
  "markerHeight",
  "refX",
  "refY",
  "orient",
  "markerUnits",
]);

/** A copy of a drawing made of elements and attributes that can neither run nor load anything. */
function copyDrawing(text, prefix) {
  // The page has its own style for drawings; the policy would report one that is parsed.
  const bare = text.replace(/<style[^>]*>[^<]*<\/style>/g, "");
  const parsed = new DOMParser().parseFromString(bare, "image/svg+xml");
  if (parsed.documentElement.localName !== "svg") return null;
  const root = svg("svg", {});
  const work = [[parsed.documentElement, root]];
  while (work.length > 0) {
    const [from, to] = work.pop();
    copyAttributes(from, to, prefix);
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.append(child.data);
      const known =
        child.nodeType === Node.ELEMENT_NODE &&
        child.namespaceURI === SVG &&
        SVG_ELEMENTS.has(child.localName);
      if (!known) continue;
      const copy = svg(child.localName, {});
      to.append(copy);
      work.push([child, copy]);
    }
  }
  return root;
}

/** Ids get a prefix, since all drawings share one page; references stay within the drawing. */
function copyAttributes(from, to, prefix) {
  for (const { name, value } of from.attributes) {
    if (!SVG_ATTRIBUTES.has(name)) continue;
    if (name === "id") to.setAttribute(name, prefix + value);
    else if (!value.includes("url(")) to.setAttribute(name, value);
    else {
      const local = value.match(/^url\(#([\w.-]+)\)$/);
      if (local) to.setAttribute(name, `url(#${prefix}${local[1]})`);
    }
  }
}

/** The shape of an element's group: frames have the groups of their content in them. */
function shapeOf(group) {
  return group.querySelector(":scope > .shape");
}

/** Fills an element's shape by its share of the time, and says it in words. */
function colorElement(group, element) {
  const { share } = element;
  const most = maximum(data.elements.map((other) => other.share)) || 1;
  const rgb = rampChannels(share / most);
  const color = `rgb(${rgb.map(Math.round).join(" ")})`;
  const shape = shapeOf(group);
  if (!shape) return;
  if (shape.classList.contains("frame")) shape.style.stroke = color;
  else {
    shape.style.fill = color;
    for (const text of group.querySelectorAll(":scope > text:not(.share)"))
      text.style.fill = inkOn(rgb);
  }
  const words =
    `${element.name}: ${formatPercent(share)} of the time, ` +
    `${plural(element.count, "execution")}, ${formatTime(element.total_s)}` +
    (element.place ? `, ${element.place.line}` : "");
  const title = group.querySelector(":scope > title") ?? svg("title", {});
  title.textContent = words;
  group.prepend(title);
  group.setAttribute("data-share", share);
}

/** Writes the share beside the lower right corner; the drawing must be on the page. */
function labelElement(group) {
  const share = Number(group.getAttribute("data-share"));
  const shape = shapeOf(group);
  if (!shape || share < 0.0005) return;
  const box = shape.getBBox();
  const place = { class: "share", x: box.x + box.width + 3, y: box.y + box.height - 1 };
  group.append(svg("text", place, formatPercent(share)));
}

/** The elements of a drawing that were executed. */
function diagramNumbers(drawing, byId) {
  const ids = [...drawing.querySelectorAll("[data-element]")].map((group) =>
    group.getAttribute("data-element"),
  );
  const elements = [...new Set(ids)].map((id) => byId.get(id)).filter(Boolean);
  return {
    heads: ["id", "element", "type", "count", "total_s", "max_s", "share"],
    rows: elements.map((element) => [
      element.id,
      element.name,
      element.type,
      element.count,
      element.total_s,
      element.max_s,
      element.share,
    ]),
  };
}

/** The drawings as figures, and the groups of elements by id. */
function drawDiagrams() {
  const groups = new Map();
  const byId = new Map(data.elements.map((element) => [element.id, element]));
  const figures = [];
  for (const [index, diagram] of data.diagrams.entries()) {
    const drawing = copyDrawing(diagram.svg, `diagram${index}-`);
    if (!drawing) continue;
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", `Activity diagram ${diagram.name}`);
    for (const group of drawing.querySelectorAll("[data-element]")) {
      const id = group.getAttribute("data-element");
      group.addEventListener("click", (event) => {
        // Frames have the groups of their content in them.
        event.stopPropagation();
        showInDrawing(byId.get(id));
      });
      groups.set(id, [...(groups.get(id) ?? []), group]);
    }
    figures.push(
      html(
        "figure",
        { class: "diagram" },
        html("figcaption", {}, diagram.name),
        html("div", { class: "drawing", tabindex: 0 }, drawing),
        drawingExports(`diagram-${index}`, `diagram ${diagram.name}`, drawing, () =>
          diagramNumbers(drawing, byId),
        ),
      ),
    );
  }
  const paint = () => {
    for (const [id, list] of groups) {
      const element = byId.get(id);
      for (const group of list) {
        if (element) colorElement(group, element);
        else group.classList.add("never");
      }
    }
  };
  paint();
  onRepaint(paint);
  wanted.follow((needle) => {
    for (const [id, list] of groups) {
      const missed = needle !== "" && !isFound(byId.get(id));
      for (const group of list) {
        group.classList.toggle("found", needle !== "" && !missed);
        group.classList.toggle("missed", missed);
      }
    }
  });
  return { figures, groups };
}
