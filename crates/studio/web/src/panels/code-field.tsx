import { useEffect, useRef, useState } from 'preact/hooks';

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
  /** The diagram whose names the code may use. */
  diagram: Id | null;
  problems: Problem[];
  /** The wish that the field has the keyboard. */
  focused?: Wish | null;
  onChange(value: string): void;
}

/** A piece of code. The editor stands in a shadow tree, where it needs no inline styles. */
export function CodeField(props: CodeFieldProps) {
  const { studio, label, about, value, single, readOnly, problems, focused = null } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [editor, setEditor] = useState<CodeEditor | null>(null);
  const typed = useRef<string | null>(null);

  useEffect(() => {
    let timer = 0;
    let made: CodeEditor | null = null;
    let gone = false;
    const send = () => {
      window.clearTimeout(timer);
      const text = typed.current;
      typed.current = null;
      if (text !== null && text !== latest.current.value) latest.current.onChange(text);
    };
    void import('../code/editor').then(({ CodeEditor }) => {
      if (gone || !host.current) return;
      const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
      made = new CodeEditor(root, {
        label,
        text: latest.current.value,
        single,
        readOnly,
        names: () => namesIn(studio.document.state.value, latest.current.diagram),
        changed: (text) => {
          typed.current = text;
          window.clearTimeout(timer);
          timer = window.setTimeout(send, PAUSE_MS);
        },
        left: (done) => {
          send();
          if (done) studio.drawing?.focus();
        },
      });
      setEditor(made);
    });
    return () => {
      gone = true;
      send();
      made?.destroy();
    };
  }, [studio, label, single, readOnly]);

  useEffect(() => {
    // What one is typing wins over what the document had before.
    if (editor && typed.current === null) editor.text = value;
    editor?.mark(problems);
  }, [editor, value, JSON.stringify(problems)]);

  useEffect(() => {
    if (focused) editor?.focus();
  }, [editor, focused]);

  return (
    <div class="field">
      <span class="label">{label}</span>
      <div class="code-host" data-label={label} title={about ?? ''} ref={host} />
      <Problems problems={problems} />
    </div>
  );
}
