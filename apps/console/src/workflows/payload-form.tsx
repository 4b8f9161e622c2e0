import type { VNode } from 'preact';
import { Field } from '../ui/fields.js';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import { type PayloadField, payloadFields, valueAt, withValue } from './payload-fields.js';
import type { Workflow } from './workflow-words.js';

interface Props {
  readonly workflow: Workflow;
  /** The payload as JSON. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The payload as fields, one for each value that the workflow uses, and all of it as JSON. */
export function PayloadForm({ workflow, text, onText }: Props): VNode {
  const fields = payloadFields(workflow.triggers[0]?.variables ?? []);
  const { value: payload } = objectOf(text);
  const put = (path: readonly string[], value: string | boolean): void =>
    onText(JSON.stringify(withValue(payload ?? {}, path, value), undefined, 2));
  return (
    <>
      {payload &&
        fields.map((field) => (
          <Value
            key={field.path.join('.')}
            field={field}
            value={valueAt(payload, field.path)}
            onValue={(value) => put(field.path, value)}
          />
        ))}
      <details class="more" open={fields.length === 0 || payload === undefined}>
        <summary>{fields.length === 0 ? 'Payload' : 'Payload as JSON'}</summary>
        <JsonEditor label="Payload" text={text} onText={onText} />
      </details>
    </>
  );
}

interface ValueProps {
  readonly field: PayloadField;
  readonly value: unknown;
  readonly onValue: (value: string | boolean) => void;
}

function Value({ field: { label, isBoolean }, value, onValue }: ValueProps): VNode {
  if (isBoolean) {
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onValue(event.currentTarget.checked)} />
        <span>{label}</span>
      </label>
    );
  }
  return (
    <Field label={label}>
      {(id, describedBy) => (
        <input
          id={id}
          value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
          autocomplete="off"
          aria-describedby={describedBy}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
