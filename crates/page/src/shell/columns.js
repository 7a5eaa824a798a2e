// The data of a page, with its columns as typed arrays.

const COLUMN_TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/**
 * The typed array of `{"f64": "…"}`, and any other value as it is; bytes are in the order of all
 * computers with browsers today.
 */
function decodeColumn(_, value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  for (const [name, numbers] of Object.entries(COLUMN_TYPES)) {
    if (name in value) return new numbers(decodeBase64(value[name]).buffer);
  }
  return value;
}

function loadData() {
  const source = document.getElementById("data");
  const data = JSON.parse(source.textContent, decodeColumn);
  // The text is not needed twice.
  source.remove();
  return data;
}

function sum(column) {
  let total = 0;
  for (const value of column) total += value;
  return total;
}

function maximum(column) {
  let largest = 0;
  for (const value of column) if (value > largest) largest = value;
  return largest;
}
