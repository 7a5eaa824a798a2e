import { type Command, COMMANDS } from './commands';
import { listenToWait } from './hold';
import { immediately } from './immediate';
import type { Studio } from './studio';

const ARROWS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
};

/** Returns a key's name as in the list of commands. */
export function keysOf(event: KeyboardEvent): string {
  const key = ARROWS[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  // Characters such as ? already include the Shift key.
  const letter = /^[A-Z↑↓←→]$/.test(key) || key.length > 1;
  return `${control}${event.shiftKey && letter ? 'Shift+' : ''}${key}`;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input, textarea, select, [contenteditable], .code-host')
  );
}

function onCanvas(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && !!target.closest('.canvas'));
}

/** Runs commands by their keys. */
export function listen(studio: Studio): void {
  listenToWait();
  const byKeys = new Map<string, Command>(
    COMMANDS.flatMap((command) => command.keys.map((keys): [string, Command] => [keys, command])),
  );
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || studio.dialog.value !== null) return;
    const keys = keysOf(event);
    const command = byKeys.get(keys);
    if (!command || (command.canvas && !onCanvas(event.target))) return;
    // Fields have their own undo and selection.
    const own = !['Ctrl+S', 'Ctrl+Shift+S', 'Ctrl+O', 'Ctrl+F', 'F8', 'Escape'].includes(keys);
    if (isTyping(event.target) && own) return;
    event.preventDefault();
    // The next key may be for the field that this one opens.
    immediately(() => command.run(studio));
  });
}
