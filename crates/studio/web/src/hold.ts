/**
 * Makes keys wait for the studio's answer. What an answer decides, such as the name that an undo
 * restores or the field of a new node, must be there before the next key counts.
 */

/**
 * Maximum wait, so that a studio that doesn't answer can't block the keyboard. A busy machine may
 * need seconds for an answer, after which the next keys would go elsewhere.
 */
const PATIENCE_MS = 10_000;

const waiting: KeyboardEvent[] = [];
let holds = 0;
let typing = false;

/** Holds all keys until something is done. */
export function hold(done: Promise<unknown> | null): void {
  if (done === null) return;
  holds += 1;
  const late = new Promise((resolve) => window.setTimeout(resolve, PATIENCE_MS));
  const release = () => {
    holds -= 1;
    void replay();
  };
  // The result is drawn before keys are released.
  void Promise.race([done, late]).finally(() => window.setTimeout(release, 0));
}

/** Starts to hold keys that must wait. */
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
    // A key's effect is drawn before the next key.
    await new Promise((resolve) => window.setTimeout(resolve, 0));
  }
  typing = false;
}

/** Returns the focused element, even in a shadow tree. */
function focused(): Element {
  let element = document.activeElement ?? document.body;
  for (let inner; (inner = element.shadowRoot?.activeElement); ) element = inner;
  return element;
}

/**
 * Asks the focused element whether it accepts a letter, which a browser does only for real keys.
 */
function isWanted(data: string): boolean {
  const init = { data, inputType: 'insertText', bubbles: true, cancelable: true, composed: true };
  return focused().dispatchEvent(new InputEvent('beforeinput', init));
}

/** Does what a real key would do. */
function type({ key, code, ctrlKey, shiftKey, metaKey, altKey }: KeyboardEvent): void {
  const modifiers = { ctrlKey, shiftKey, metaKey, altKey };
  const init = { key, code, ...modifiers, bubbles: true, cancelable: true, composed: true };
  const isFree = focused().dispatchEvent(new KeyboardEvent('keydown', init));
  if (!isFree || ctrlKey || metaKey || altKey) return;
  // Fields, editors and their undo support only this way of typing.
  if (key.length === 1 && isWanted(key)) document.execCommand('insertText', false, key);
  else if (key === 'Backspace') document.execCommand('delete');
}
