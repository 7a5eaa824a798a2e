import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Problem } from '../protocol';
import type { Wish } from '../view';

/** Pause in typing after which a text is sent. */
export const PAUSE_MS = 200;

interface FieldProps {
  label: string;
  about?: string;
  value: string;
  readOnly?: boolean;
  required?: boolean;
  lines?: number;
  problems?: Problem[];
  /** A request for the field to take the focus. */
  focused?: Wish | null;
  onChange(value: string): void;
}

export function Problems({ problems, id }: { problems: Problem[]; id?: string }) {
  if (problems.length === 0) return null;
  return (
    <ul class="field-problems" id={id}>
      {problems.map(({ severity, code, message, help }) => (
        <li class={severity} key={code + message}>
          {message}
          {help !== null && <span class="help"> {help}</span>}
        </li>
      ))}
    </ul>
  );
}

/** A text field, which sends its text after a pause, on Enter, or when it loses the focus. */
export function TextField(props: FieldProps) {
  const { label, about, value, lines = 1, problems = [], focused = null } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const timer = useRef(0);
  /** Typed text that hasn't been sent. */
  const typed = useRef<string | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (focused) field.current?.focus();
    if (focused) field.current?.select();
  }, [focused]);
  const send = () => {
    window.clearTimeout(timer.current);
    const text = typed.current;
    typed.current = null;
    const { value, onChange } = latest.current;
    if (text !== null && text !== value) onChange(text);
  };
  useEffect(() => send, []);
  const attributes = {
    id,
    ref: field,
    value: draft ?? value,
    readOnly: props.readOnly ?? false,
    required: props.required ?? false,
    title: about ?? '',
    'aria-invalid': problems.some(({ severity }) => severity === 'error'),
    'aria-describedby': problems.length > 0 ? `${id}-problems` : undefined,
    onInput: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      setDraft(text);
      typed.current = text;
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(send, PAUSE_MS);
    },
    onBlur: () => {
      send();
      setDraft(null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && lines === 1) send();
    },
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === 1 && <input type="text" {...attributes} />}
      {lines > 1 && <textarea rows={lines} {...attributes} />}
      <Problems problems={problems} id={`${id}-problems`} />
    </div>
  );
}

interface SelectProps {
  label: string;
  about?: string;
  value: string;
  options: { value: string; label: string; about?: string }[];
  disabled?: boolean;
  problems?: Problem[];
  onChange(value: string): void;
}

export function SelectField(props: SelectProps) {
  const { label, about, value, options, problems = [], onChange } = props;
  const id = useId();
  const known = options.some((option) => option.value === value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        title={about ?? ''}
        value={value}
        disabled={props.disabled ?? false}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {!known && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} title={option.about ?? ''}>
            {option.label}
          </option>
        ))}
      </select>
      <Problems problems={problems} />
    </div>
  );
}
