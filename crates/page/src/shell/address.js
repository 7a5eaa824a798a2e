// What is seen of the page, in the fragment of its address: who opens the address sees the same.
//
// An address is a stranger's text. Each part of it is read by who has it, who takes what it could
// have written itself and nothing else.

const ADDRESS_LENGTH_MAX = 8192;
const ADDRESS_DELAY_MS = 250;

const sharedParts = new Map();
const sharedAtFirst = new Map();
const addressFollowers = [];

/** A part of what is seen: `write` gives it as text, and `read` takes such a text. */
function inAddress(name, part) {
  sharedParts.set(name, part);
}

/** Calls `follower` with each fragment that the page writes. */
function followAddress(follower) {
  addressFollowers.push(follower);
}

/** A range of numbers in order, within `0..=limit`, or null. */
function readNumbers(text, limits) {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  const fits = (number, index) => number >= 0 && number <= limits[index];
  return numbers.length === limits.length && numbers.every(fits) ? numbers : null;
}

function writeAddress() {
  const parts = new URLSearchParams();
  for (const [name, part] of sharedParts) {
    const text = part.write();
    if (text !== sharedAtFirst.get(name)) parts.set(name, text);
  }
  const fragment = parts.toString();
  if (fragment === location.hash.slice(1)) return;
  for (const follower of addressFollowers) follower(fragment);
  history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
}

function readAddress() {
  const fragment = location.hash.slice(1);
  const isShared = fragment.includes("=") && fragment.length <= ADDRESS_LENGTH_MAX;
  const parts = new URLSearchParams(isShared ? fragment : "");
  for (const [name, part] of sharedParts) {
    const text = parts.get(name) ?? sharedAtFirst.get(name);
    if (text !== part.write()) part.read(text);
  }
}

let addressTimer = 0;

/** Writes the address as soon as nothing has changed for a while: browsers allow no more. */
function addressChanged() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, ADDRESS_DELAY_MS);
}

/** The section that is read: the last one that begins above the middle of the window. */
function shareSection(views) {
  const { hash } = location;
  let read = "";
  const find = () => {
    const above = views.filter((view) => view.getBoundingClientRect().top < innerHeight / 2);
    read = scrollY > 0 ? (above.at(-1)?.id ?? "") : "";
    addressChanged();
  };
  inAddress("at", {
    write: () => read,
    read(text) {
      const view = views.find(({ id }) => id === text);
      if (!view) return;
      read = text;
      // Charts get their heights first.
      setTimeout(() => view.scrollIntoView(), 2 * ADDRESS_DELAY_MS);
    },
  });
  addEventListener("scroll", find, { passive: true });
  return hash;
}

/** Takes what the address says, and keeps it. The page must be built. */
function startAddress() {
  for (const [name, part] of sharedParts) sharedAtFirst.set(name, part.write());
  readAddress();
  addEventListener("hashchange", () => {
    // A link within the page leads to a section, and is no view.
    if (location.hash.includes("=")) readAddress();
    else addressChanged();
  });
  for (const name of ["click", "keyup", "input", "change", "pointerup", "wheel"]) {
    addEventListener(name, addressChanged, { passive: true });
  }
}
