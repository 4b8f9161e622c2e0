import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { expressionAt, type Suggestion } from './suggestions.js';

export interface EditorFault {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

interface Options {
  readonly text: string;
  readonly label: string;
  readonly language: 'html' | 'text';
  readonly onText: (text: string) => void;
  /** Read each time, so that they may change. */
  readonly suggestions: () => readonly Suggestion[];
}

export interface MountedEditor {
  readonly setText: (text: string) => void;
  readonly setFaults: (faults: readonly EditorFault[]) => void;
  readonly focus: () => void;
  readonly destroy: () => void;
}

/** Made once: a matcher that keeps its place would be shared by editors. */
function expressions(): Extension {
  const matcher = new MatchDecorator({
    regexp: /\{\{\{?[^{}]*\}?\}\}|\{%[^{}]*%\}/g,
    decoration: Decoration.mark({ class: 'cm-expression' }),
  });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view);
      }

      update(update: ViewUpdate): void {
        this.decorations = matcher.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

const COLORS = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--busy)' },
  { tag: tags.attributeName, color: 'var(--warn)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--text-soft)' },
]);

const THEME = EditorView.theme({
  '&': { fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--surface)', maxHeight: '460px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: '60px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--text-soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--sunken) 60%, transparent)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--accent-ground) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-ground)', outline: '1px solid var(--accent)' },
  '.cm-expression': { color: 'var(--accent)', fontWeight: '600' },
  '.cm-expression span': { color: 'inherit' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line-strong)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { marginLeft: '10px', fontStyle: 'normal', opacity: '0.85' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-placeholder': { color: 'var(--text-soft)' },
});

function extensionsFor(options: Options): Extension[] {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [(context) => complete(context, options.suggestions())], icons: false }),
    highlightActiveLine(),
    lintGutter(),
    expressions(),
    syntaxHighlighting(COLORS),
    THEME,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': options.label }),
    options.language === 'html' ? html({ autoCloseTags: true }) : [],
    options.language === 'text' ? placeholder('Text of the message') : [],
    // Tab leaves the editor: a keyboard must not be caught in it. Ctrl+] and Ctrl+[ indent.
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

/**
 * A code editor in a shadow root: there, its styles are adopted sheets, which the policy of the page allows; elsewhere they
 * would be inline styles, which it refuses (ADR 60).
 */
export function mountEditor(host: HTMLElement, options: Options): MountedEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  let isOurs = false;
  // Told, and not heard back yet: a draft that follows more slowly than somebody types must not undo what came after.
  let told: string[] = [];
  const state = EditorState.create({
    doc: options.text,
    extensions: [
      ...extensionsFor(options),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || isOurs) return;
        const typed = update.state.doc.toString();
        told.push(typed);
        options.onText(typed);
      }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  return {
    setText(text) {
      const heard = told.lastIndexOf(text);
      told = told.slice(heard + 1);
      if (heard >= 0 || text === view.state.doc.toString()) return;
      told = [];
      isOurs = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isOurs = false;
    },
    setFaults(faults) {
      view.dispatch(
        setDiagnostics(
          view.state,
          faults.map((fault) => diagnosticOf(view.state, fault)),
        ),
      );
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function diagnosticOf({ doc }: EditorState, { message, line = 1, column }: EditorFault): Diagnostic {
  const { from, to, length } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const start = column === undefined ? from : from + Math.min(column - 1, length);
  return { from: start, to: Math.max(start, to), severity: 'error', message };
}

function complete(context: CompletionContext, suggestions: readonly Suggestion[]): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 300), context.pos);
  const found = expressionAt(before);
  if (found === undefined || (found.typed === '' && !context.explicit && !found.isOpening)) return null;
  const closing = context.state.sliceDoc(context.pos, context.pos + 2) === '}}' ? '' : '}}';
  return {
    from: context.pos - found.typed.length,
    options: suggestions.map(({ name, detail, kind }): Completion => ({
      label: name,
      detail,
      type: kind,
      boost: kind === 'helper' ? -1 : 1,
      apply: kind === 'helper' ? name : name + (found.isFirst ? closing : ''),
    })),
    validFor: /^[\w.#@-]*$/,
  };
}
