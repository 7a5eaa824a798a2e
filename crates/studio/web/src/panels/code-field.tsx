import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { CodeEditor } from '../code/editor';
import { namesIn } from '../code/names';
import type { Id, Problem } from '../protocol';
import type { Studio } from '../studio';
import type { Wish } from '../view';
import { PAUSE_MS, Problems } from './field';

interface CodeFieldProps {
  studio: Studio;
  label: string;
  about?: string;
  value: string;
  single: boolean;
  readOnly: boolean;
  /** The diagram with the names that the code may use. */
  diagram: Id | null;
  problems: Problem[];
  /** A request for the field to take the focus. */
  focused?: Wish | null;
  onChange(value: string): void;
}

/** The editor, once it is loaded; it is large, so the page comes first. */
let Editor: typeof CodeEditor | null = null;

/** Fetches the editor. */
export async function fetchEditor(): Promise<typeof CodeEditor> {
  Editor ??= (await import('../code/editor')).CodeEditor;
  return Editor;
}

/** Typed text, which is sent after a pause or when the field loses the focus. */
class Draft {
  text: string | null = null;
  #timer = 0;

  constructor(readonly props: () => CodeFieldProps) {}

  typed(text: string): void {
    this.text = text;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.send(), PAUSE_MS);
  }

  send(): void {
    window.clearTimeout(this.#timer);
    const { text } = this;
    this.text = null;
    const { value, onChange } = this.props();
    if (text !== null && text !== value) onChange(text);
  }

  left(done: boolean): void {
    this.send();
    if (done) this.props().studio.drawing?.focus();
  }
}

/**
 * A piece of code. The editor is in a shadow tree, where it needs no inline styles. A plain field
 * accepts what is typed before the editor is loaded.
 */
export function CodeField(props: CodeFieldProps) {
  const { studio, label, about, value, single, readOnly, problems, focused = null } = props;
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const made = useRef<CodeEditor | null>(null);
  const [editor, setEditor] = useState<CodeEditor | null>(null);
  const [draft] = useState(() => new Draft(() => latest.current));

  useLayoutEffect(() => {
    let gone = false;
    const make = (Made: typeof CodeEditor) => {
      if (gone || !host.current) return;
      const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
      host.current.hidden = false;
      made.current = new Made(root, {
        label,
        text: draft.text ?? latest.current.value,
        single,
        readOnly,
        names: () => namesIn(studio.document.state.value, latest.current.diagram),
        changed: (text) => draft.typed(text),
        left: (done) => draft.left(done),
      });
      handOver(plain.current, made.current);
      setEditor(made.current);
    };
    if (Editor) make(Editor);
    else void fetchEditor().then(make);
    return () => {
      gone = true;
      draft.send();
      made.current?.destroy();
      made.current = null;
    };
  }, [studio, label, single, readOnly]);

  useEffect(() => {
    // What the user is typing takes precedence over the document's earlier text.
    if (editor && draft.text === null) editor.text = value;
  }, [editor, value]);

  useEffect(() => {
    editor?.mark(problems);
  }, [editor, value, JSON.stringify(problems)]);

  useLayoutEffect(() => {
    if (!focused) return;
    if (made.current) made.current.focus();
    else plain.current?.select();
  }, [focused]);

  return (
    <div class="field">
      <span class="label">{label}</span>
      <div class="code-host" hidden={!editor} data-label={label} title={about ?? ''} ref={host} />
      {!editor && <PlainCode {...{ label, value, single, readOnly, draft }} field={plain} />}
      <Problems problems={problems} />
    </div>
  );
}

/** Hands the focus of a plain field to the editor, at the same place in the text. */
function handOver(plain: HTMLTextAreaElement | null, editor: CodeEditor): void {
  if (plain === null || document.activeElement !== plain) return;
  editor.focus({ anchor: plain.selectionStart, head: plain.selectionEnd });
}

interface PlainProps {
  label: string;
  value: string;
  single: boolean;
  readOnly: boolean;
  draft: Draft;
  field: { current: HTMLTextAreaElement | null };
}

/** The code without an editor. */
function PlainCode({ label, value, single, readOnly, draft, field }: PlainProps) {
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && !(single && event.key === 'Enter')) return;
    event.preventDefault();
    draft.left(true);
  };
  return (
    <textarea
      ref={field}
      aria-label={label}
      rows={1}
      readOnly={readOnly}
      value={draft.text ?? value}
      onInput={(event) => draft.typed(event.currentTarget.value)}
      onKeyDown={keyDown}
      onBlur={({ relatedTarget }) => {
        // The editor adopts what is typed.
        const isEditor = relatedTarget instanceof Element && relatedTarget.matches('.code-host');
        if (!isEditor) draft.left(false);
      }}
    />
  );
}
