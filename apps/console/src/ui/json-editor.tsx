import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Field } from './fields.js';
import { objectOf } from './json-fault.js';

const MIN_ROWS = 5;
const MAX_ROWS = 22;

interface Props {
  readonly label: string;
  readonly text: string;
  readonly note?: string;
  readonly onText: (text: string) => void;
}

/** A text field for a JSON object, with numbered lines and the place of the first fault. */
export function JsonEditor({ label, text, note, onText }: Props): VNode {
  const gutter = useRef<HTMLDivElement>(null);
  const { fault } = objectOf(text);
  const lines = text.split('\n').length;
  const rows = Math.min(Math.max(lines, MIN_ROWS), MAX_ROWS);
  return (
    <Field label={label} {...(note !== undefined && { note })}>
      {(id, describedBy) => (
        <>
          <div class={fault ? 'code-editor faulty' : 'code-editor'}>
            <div class="code-gutter" ref={gutter} aria-hidden="true">
              {Array.from({ length: Math.max(lines, rows) }, (_, at) => (
                <span key={at} class={fault?.line === at + 1 ? 'bad' : undefined}>
                  {at < lines ? at + 1 : ''}
                </span>
              ))}
            </div>
            <textarea
              id={id}
              rows={rows}
              wrap="off"
              value={text}
              spellcheck={false}
              autocomplete="off"
              autocapitalize="off"
              aria-invalid={fault !== undefined}
              aria-describedby={[`${id}-fault`, describedBy].filter(Boolean).join(' ')}
              onInput={(event) => onText(event.currentTarget.value)}
              onScroll={(event) => gutter.current?.scrollTo(0, event.currentTarget.scrollTop)}
            />
          </div>
          <p class="code-fault" id={`${id}-fault`} aria-live="polite">
            {fault && `Line ${fault.line}, column ${fault.column}: ${fault.message}.`}
          </p>
        </>
      )}
    </Field>
  );
}
