/**
 * Keys that wait: what an answer of the studio decides, such as the name that an undo brings back
 * or the field of a new node, has to be there before the next key counts.
 */

/**
 * Longest wait: a studio that does not answer takes nobody's keyboard. A busy machine takes seconds
 * for an answer, after which the next keys would go elsewhere.
 */
const PATIENCE_MS = 10_000;

const waiting: KeyboardEvent[] = [];
let holds = 0;
let typing = false;

/** Keeps all keys until something is done. */
export function hold(done: Promise<unknown> | null): void {
  if (done === null) return;
  holds += 1;
  const late = new Promise((resolve) => window.setTimeout(resolve, PATIENCE_MS));
  const release = () => {
    holds -= 1;
    void replay();
  };
  // What is done is drawn before.
  void Promise.race([done, late]).finally(() => window.setTimeout(release, 0));
}

/** Takes keys that have to wait. */
export function listenToWait(): void {
  const take = (event: KeyboardEvent) => {
    if (!event.isTrusted || event.isComposing || (holds === 0 && !typing)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(event);
  };
  document.addEventListener('keydown', take, { capture: true });
}

async function replay(): Promise<void> {
  if (typing) return;
  typing = true;
  while (holds === 0) {
    const event = waiting.shift();
    if (!event) break;
    type(event);
    // What a key changes is drawn before the next one.
    await new Promise((resolve) => window.setTimeout(resolve, 0));
  }
  typing = false;
}

/** The element that has the keyboard, also in a shadow tree. */
function focused(): Element {
  let element = document.activeElement ?? document.body;
  for (let inner; (inner = element.shadowRoot?.activeElement); ) element = inner;
  return element;
}

/** Asks the element that has the keyboard for a letter, as a browser does only for real keys. */
function isWanted(data: string): boolean {
  const init = { data, inputType: 'insertText', bubbles: true, cancelable: true, composed: true };
  return focused().dispatchEvent(new InputEvent('beforeinput', init));
}

/** Does what a key does that a browser sends. */
function type({ key, code, ctrlKey, shiftKey, metaKey, altKey }: KeyboardEvent): void {
  const modifiers = { ctrlKey, shiftKey, metaKey, altKey };
  const init = { key, code, ...modifiers, bubbles: true, cancelable: true, composed: true };
  const isFree = focused().dispatchEvent(new KeyboardEvent('keydown', init));
  if (!isFree || ctrlKey || metaKey || altKey) return;
  // Of all ways to type, this is the one that fields, editors and their undo know.
  if (key.length === 1 && isWanted(key)) document.execCommand('insertText', false, key);
  else if (key === 'Backspace') document.execCommand('delete');
}
