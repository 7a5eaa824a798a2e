// The animator: where each process is while simulated time goes by.

const ANIMATION_SECONDS = [
  ["10", "10 s"],
  ["30", "30 s"],
  ["60", "1 min"],
  ["300", "5 min"],
];
const SLIDER_STEPS = 10000;
const PIDS_NAMED = 12;

/** How many units are in each state and at each element, and which, at a time. */
function unitsAt(time) {
  const { units, element, state } = data.records;
  const places = new Map();
  const states = new Uint32Array(STATES.length);
  let elsewhere = 0;
  for (let row = 0; row < unitRows; row++) {
    const record = recordAt(row, time);
    if (record < 0) {
      elsewhere++;
      continue;
    }
    states[state[record]]++;
    const place = places.get(element[record]) ?? {
      count: 0,
      states: new Uint32Array(STATES.length),
      units: [],
    };
    place.count++;
    place.states[state[record]]++;
    if (place.units.length < PIDS_NAMED) place.units.push(units[row]);
    places.set(element[record], place);
  }
  return { places, states, elsewhere };
}

/** The state that most of those at a place are in. */
function commonState(place) {
  return STATES[place.states.indexOf(Math.max(...place.states))];
}

/** A count at the upper right corner of an element; made once the drawing has a size. */
function badgeOf(group) {
  const shape = shapeOf(group);
  const box = shape.getBBox();
  const label = svg("text", { "text-anchor": "middle", "dominant-baseline": "central" });
  const back = svg("rect", { rx: 9, height: 18, y: -9 });
  const badge = svg("g", { class: "badge" }, svg("title", {}), back, label);
  badge.setAttribute("transform", `translate(${box.x + box.width} ${box.y})`);
  group.append(badge);
  return {
    show(place) {
      badge.style.display = place ? "" : "none";
      if (!place) return;
      const text = formatCount(place.count);
      const width = 12 + 7 * text.length;
      label.textContent = text;
      back.setAttribute("width", width);
      back.setAttribute("x", -width / 2);
      badge.setAttribute("class", `badge ${commonState(place)}`);
      const names = place.units.map(unitName).join(", ");
      badge.firstChild.textContent = place.count > place.units.length ? `${names}, …` : names;
    },
  };
}

/** Marks the elements on the drawings with the number of units that are at them. */
function diagramMarkers(groups) {
  const badges = new Map();
  return (places) => {
    const byId = new Map(
      [...places]
        .filter(([index]) => index !== NO_ELEMENT)
        .map(([index, place]) => [data.elements[index].id, place]),
    );
    for (const [id, list] of groups) {
      const place = byId.get(id);
      for (const group of list) {
        if (!badges.has(group) && place && shapeOf(group)) badges.set(group, badgeOf(group));
        badges.get(group)?.show(place);
        group.classList.toggle("active", Boolean(place));
      }
    }
  };
}

/** A list of the elements that units are at: for models without drawings, and for all readers. */
function placesList(places) {
  const total = unitRows;
  const entries = [...places].sort(([, a], [, b]) => b.count - a.count).slice(0, 12);
  return entries.map(([index, place]) =>
    html(
      "li",
      {},
      html("span", { class: "name" }, elementLink(data.elements[index], elementName(index))),
      stackedBar(STATES.map((name, state) => [name, place.states[state] / total])),
      html("span", { class: "detail" }, formatCount(place.count)),
    ),
  );
}

function animatorControls() {
  const end = data.run.predicted_time_s;
  const slider = html("input", {
    id: "animator-time",
    type: "range",
    min: 0,
    max: SLIDER_STEPS,
    value: 0,
    step: 1,
    "aria-label": "Simulated time",
    oninput: () => simulatedTime.set((Number(slider.value) / SLIDER_STEPS) * end),
  });
  const output = html("output", { id: "animator-now", for: "animator-time" });
  const play = html("button", { id: "animator-play", type: "button", onclick: toggle }, "Play");
  let duration = 30;
  let last = null;

  function toggle() {
    if (last === null && simulatedTime.get() >= end) simulatedTime.set(0);
    last = last === null ? performance.now() : null;
    play.textContent = last === null ? "Play" : "Pause";
    if (last !== null) requestAnimationFrame(advance);
  }

  function advance(now) {
    if (last === null) return;
    const next = simulatedTime.get() + (Math.max(0, now - last) / 1000 / duration) * end;
    last = now;
    simulatedTime.set(Math.min(next, end));
    if (next >= end) toggle();
    else requestAnimationFrame(advance);
  }

  simulatedTime.follow((time) => {
    slider.value = String(Math.round((time / end) * SLIDER_STEPS));
    slider.setAttribute("aria-valuetext", formatTime(time, 5));
    output.textContent = `${formatTime(time, 5)} of ${formatTime(end, 5)}`;
  });
  inAddress("time", {
    write: () => String(simulatedTime.get()),
    read(text) {
      const [time] = readNumbers(text, [end]) ?? [];
      if (time !== undefined) simulatedTime.set(time);
    },
  });
  const speed = select("animator-duration", ANIMATION_SECONDS, (value) => {
    duration = Number(value);
  });
  speed.value = "30";
  return html(
    "div",
    { class: "controls animator" },
    play,
    slider,
    output,
    control("All of it in", speed),
  );
}

function diagramsView() {
  const { figures, groups } = drawDiagrams();
  const moving = data.records && data.records.units.length > 0 && data.run.predicted_time_s > 0;
  if (figures.length === 0 && !moving) return null;
  const colored = html(
    "div",
    { class: "controls" },
    html("span", {}, "Share of the time:"),
    rampLegend(
      "none",
      formatPercent(maximum(data.elements.map((element) => element.share))),
    ),
  );
  const parts = [];
  if (moving) {
    const list = html("ul", { class: "places", id: "animator-places" });
    const summary = html("p", { class: "status", id: "animator-summary" });
    const mark = diagramMarkers(groups);
    parts.push(animatorControls(), summary, list);
    const show = (time) => {
      const { places, states, elsewhere } = unitsAt(time);
      // Drawings have a size as soon as they are on the page.
      if (figures.length > 0 && figures[0].isConnected) mark(places);
      list.replaceChildren(...placesList(places));
      const words = STATES.map((name, state) => [name, states[state]])
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${formatCount(count)} ${name}`);
      if (elsewhere > 0) words.push(`${formatCount(elsewhere)} idle or ended`);
      summary.textContent = words.join(" · ");
    };
    simulatedTime.follow(show);
    requestAnimationFrame(() => show(simulatedTime.get()));
  }
  requestAnimationFrame(() => [...groups.values()].flat().forEach(labelElement));
  const title = figures.length > 0 ? "Diagrams and animator" : "Animator";
  const lead =
    figures.length > 0
      ? "Elements are colored by their share of the time of all processes. The slider moves " +
        "through simulated time; the numbers on elements say how many processes are there."
      : "The slider moves through simulated time; bars say how many processes are where.";
  return section(
    "diagrams",
    title,
    lead,
    figures.length > 0 ? colored : null,
    parts,
    html("div", { class: "diagrams" }, figures),
  );
}
