import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Item {
  key: string;
  label: string;
  detail: string;
}

interface ChooserProps {
  title: string;
  items: Item[];
  onChoose(item: Item): void;
  onCancel(): void;
}

/** Returns items that contain the text, starting with those that begin with it. */
function matches(items: Item[], text: string): Item[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter(({ label, detail }) => {
    const all = `${label} ${detail}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = ({ label }: Item) => label.toLowerCase().startsWith(words[0] ?? '');
  return [...found.filter(begins), ...found.filter((item) => !begins(item))].slice(0, 100);
}

/** Chooses one of many items by typing part of its name. */
export function Chooser({ title, items, onChoose, onCancel }: ChooserProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const found = matches(items, text);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[active];
    if (step !== undefined) {
      setActive((active + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      if (chosen) onChoose(chosen);
    } else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="chooser" aria-label={title} onClose={onCancel}>
      <input
        type="text"
        role="combobox"
        aria-label={title}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        placeholder={title}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul role="listbox" id={`${id}-list`} aria-label={title}>
        {found.map((item, at) => (
          <li
            key={item.key}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            onMouseMove={() => setActive(at)}
            onClick={() => onChoose(item)}
          >
            <span>{item.label}</span>
            <span class="where">{item.detail}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="empty">Nothing of that name.</p>}
    </dialog>
  );
}
