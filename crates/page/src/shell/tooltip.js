// What stands beside the pointer.

const tooltip = (() => {
  const box = html("div", { id: "tooltip", class: "tooltip", hidden: true });
  document.body.append(box);
  return {
    show(x, y, { title, rows = [] }) {
      const lines = rows.map(([name, value]) =>
        html("div", {}, html("span", {}, name), html("b", {}, value)),
      );
      box.replaceChildren(html("strong", {}, title), ...lines);
      box.hidden = false;
      const { offsetWidth, offsetHeight } = box;
      const left = x + 14 + offsetWidth > innerWidth ? x - 14 - offsetWidth : x + 14;
      box.style.left = `${Math.max(4, left)}px`;
      box.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - offsetHeight - 4))}px`;
    },
    hide() {
      box.hidden = true;
    },
  };
})();
addEventListener("scroll", tooltip.hide, { passive: true });
