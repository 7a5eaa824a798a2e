import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeCompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
  completionStatus,
  moveCompletionSelection,
  selectedCompletionIndex,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

import type { Problem } from '../protocol';
import { costLanguage, FUNCTIONS, KEYWORDS, MEANINGS, VALUES } from './language';
import type { Name } from './names';

export interface Options {
  label: string;
  text: string;
  /** A single line; Enter ends editing. */
  single: boolean;
  readOnly: boolean;
  names(): Name[];
  changed(text: string): void;
  /** Called when the editor loses the focus; `done` if by Enter or Escape. */
  left(done: boolean): void;
}

/** Marks text that comes from the document, not from the user. */
const fromDocument = Annotation.define<boolean>();

const theme = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': {
    fontFamily: 'ui-monospace, monospace',
    padding: '5px 2px',
    caretColor: 'var(--text)',
  },
  '.cm-scroller': { maxHeight: '16em', overflow: 'auto' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, ::selection': {
    background: 'var(--selected)',
  },
  '.cm-tooltip': {
    background: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--border)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-matchingBracket': { background: 'var(--selected)' },
});

const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: tags.atom, color: 'var(--code-atom)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: tags.standard(tags.variableName), color: 'var(--code-function)' },
]);

const LANGUAGE: Completion[] = [
  ...VALUES.map((label) => word(label, 'constant', -1)),
  ...FUNCTIONS.map((label) => word(label, 'function', -2)),
  ...KEYWORDS.map((label) => word(label, 'keyword', -3)),
];

function word(label: string, type: string, boost: number): Completion {
  return { label, type, boost, detail: MEANINGS[label] ?? '' };
}

function completions(names: () => Name[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (!word && !context.explicit) return null;
    const options = [...names(), ...LANGUAGE];
    return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
  };
}

/** Counts the code units before a character, which may have two of them. */
function unitsBefore(text: string, character: number): number {
  let units = 0;
  for (let left = character; left > 0 && units < text.length; left -= 1) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

/**
 * Replaces the selection with a letter. The browser would keep the selected text's style in an
 * attribute that the page's policy forbids.
 */
function replace(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  const { state } = view;
  const { empty, from, to } = state.selection.main;
  if (inputType !== 'insertText' || data === null || view.composing || empty) return false;
  event.preventDefault();
  if (state.readOnly) return true;
  const typed = { userEvent: 'input.type', scrollIntoView: true };
  const insert = () => state.update(state.replaceSelection(data), typed);
  const handlers = state.facet(EditorView.inputHandler);
  // A bracket encloses the selection.
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  return true;
}

/** Returns true if the user has moved to an entry in the list of completions. */
function hasChosen({ state }: EditorView): boolean {
  return completionStatus(state) === 'active' && selectedCompletionIndex(state) !== null;
}

/** Inserts the chosen completion, otherwise the first in the list. */
function complete(view: EditorView): boolean {
  if (!hasChosen(view)) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

/** The editor for one piece of code. */
export class CodeEditor {
  readonly #view: EditorView;

  constructor(parent: ShadowRoot, options: Options) {
    const { single, changed, left } = options;
    // The list opens a moment after a letter, so it must not change any key's meaning until the
    // user has moved to an entry.
    const leave = (view: EditorView): boolean => {
      closeCompletion(view);
      left(true);
      return true;
    };
    const ends: KeyBinding[] = [
      { key: 'Escape', run: (view) => (hasChosen(view) ? closeCompletion(view) : leave(view)) },
      { key: 'Tab', run: complete },
    ];
    if (single) {
      const enter = (view: EditorView) =>
        (hasChosen(view) && acceptCompletion(view)) || leave(view);
      ends.push({ key: 'Enter', run: enter, shift: leave }, { key: 'Mod-Enter', run: leave });
    }
    this.#view = new EditorView({
      parent,
      root: parent,
      state: EditorState.create({
        doc: options.text,
        extensions: [
          history(),
          costLanguage,
          syntaxHighlighting(highlighting),
          bracketMatching(),
          closeBrackets(),
          autocompletion({
            override: [completions(options.names)],
            icons: false,
            defaultKeymap: false,
            selectOnOpen: false,
          }),
          EditorView.clipboardInputFilter.of((text) =>
            single ? text.trim().replace(/\s*\n\s*/g, ' ') : text,
          ),
          keymap.of([...ends, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          theme,
          EditorView.lineWrapping,
          EditorState.readOnly.of(options.readOnly),
          EditorView.contentAttributes.of({ 'aria-label': options.label }),
          EditorView.updateListener.of((update) => {
            const own = update.transactions.some((one) => one.annotation(fromDocument));
            if (update.docChanged && !own) changed(update.state.doc.toString());
          }),
          EditorView.domEventHandlers({ blur: () => left(false), beforeinput: replace }),
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  set text(text: string) {
    if (text === this.text) return;
    const changes = { from: 0, to: this.#view.state.doc.length, insert: text };
    this.#view.dispatch({ changes, annotations: fromDocument.of(true) });
  }

  /** Underlines problems in place. */
  mark(problems: Problem[]): void {
    const length = this.#view.state.doc.length;
    const marks = problems.map(({ severity, message, help, range }): Diagnostic => {
      const [from, to] = range?.map((at) => unitsBefore(this.text, at)) ?? [0, length];
      const text = help === null ? message : `${message}\n${help}`;
      return {
        from: from ?? 0,
        to: Math.max(to ?? length, from ?? 0),
        severity: severity === 'note' ? 'info' : severity,
        message: text,
      };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Takes the focus, with everything selected as in fields, or with a given selection. */
  focus(selection = { anchor: 0, head: this.#view.state.doc.length }): void {
    this.#view.dispatch({ selection });
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}
