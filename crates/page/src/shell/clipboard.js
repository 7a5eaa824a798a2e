// Texts that are copied.

/** Copies a text; where a browser refuses, it is shown to be copied by hand. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${text}`);
    return true;
  } catch {
    announce(`Not copied: the browser refused. The text is ${text}`);
    return false;
  }
}
