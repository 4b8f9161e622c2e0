import type { RefObject, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useFault } from '../ui/fields.js';
import type { EditorFault, MountedEditor } from './code-mirror.js';
import type { Suggestion } from './suggestions.js';

interface Props {
  readonly label: string;
  /** Of the part of the body, for what the API finds wrong in it. */
  readonly path?: string;
  readonly text: string;
  readonly language: 'html' | 'text';
  readonly faults: readonly EditorFault[];
  readonly suggestions: readonly Suggestion[];
  readonly onText: (text: string) => void;
}

type State = 'loading' | 'ready' | 'missing';

/** Loads the editor and puts it into a place of the page; then it follows the properties. */
function useEditor(props: Props): { host: RefObject<HTMLDivElement>; state: State; focus: () => void } {
  const { label, language, text, faults } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<MountedEditor>();
  const latest = useRef(props);
  latest.current = props;
  const [state, setState] = useState<State>('loading');
  useEffect(() => {
    let isGone = false;
    const mount = async (): Promise<void> => {
      try {
        const { mountEditor } = await import('./code-mirror.js');
        if (isGone || host.current === null) return;
        editor.current = mountEditor(host.current, {
          text: latest.current.text,
          label,
          language,
          onText: (typed) => latest.current.onText(typed),
          suggestions: () => latest.current.suggestions,
        });
        editor.current.setFaults(latest.current.faults);
        setState('ready');
      } catch {
        if (!isGone) setState('missing');
      }
    };
    void mount();
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [label, language]);
  useEffect(() => editor.current?.setText(text), [text]);
  const known = JSON.stringify(faults);
  useEffect(() => editor.current?.setFaults(JSON.parse(known) as EditorFault[]), [known]);
  return { host, state, focus: () => editor.current?.focus() };
}

/** A template with colors, completion and faults at their place. Until the editor is loaded, or if it cannot be, a plain text field. */
export function CodeEditor(props: Props): VNode {
  const { label, path, text, faults, onText } = props;
  const refused = useFault(path);
  const { host, state, focus } = useEditor(props);
  const id = useId();
  return (
    <div class={refused === undefined ? 'field' : 'field faulty'}>
      <label for={id} onClick={focus}>
        {label}
      </label>
      {state !== 'ready' && (
        <textarea
          id={id}
          class="code"
          rows={8}
          value={text}
          spellcheck={false}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
      <div
        ref={host}
        class={faults.length > 0 ? 'template-editor faulty' : 'template-editor'}
        hidden={state !== 'ready'}
      />
      {refused !== undefined && <p class="code-fault">{refused}</p>}
      {faults.length > 0 && (
        <ul class="code-fault" aria-live="polite">
          {faults.map(({ message, line, column }) => (
            <li key={`${line} ${column} ${message}`}>
              {line !== undefined && `Line ${line}${column === undefined ? '' : `, column ${column}`}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
