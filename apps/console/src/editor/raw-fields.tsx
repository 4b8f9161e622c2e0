import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import type { DraftStep, Template } from '../drafts/draft.js';
import { useStepType } from '../step-types/step-types.js';
import { hasField, kindOf } from './step-kinds.js';

interface Props {
  readonly step: DraftStep;
  readonly onStep: (change: Partial<DraftStep>, about: string) => void;
}

/** What the editor has no fields for, as JSON: of step types that Herald no longer has, everything. */
export function RawFields({ step, onStep }: Props): VNode {
  const { type } = step.template;
  const declared = useStepType(type);
  const isKnown = kindOf(type) !== undefined || declared !== undefined;
  const has = (name: string): boolean => hasField(type, name, membersIn(declared?.template));
  const own = Object.fromEntries(
    Object.entries(step.template).filter(([name, value]) => !has(name) && name !== 'type' && value !== undefined),
  );
  const rest = {
    ...(Object.keys(own).length > 0 && { template: own }),
    ...(!isKnown && { metadata: step.metadata }),
    ...(Object.keys(step.replyCallback).length > 0 && { replyCallback: step.replyCallback }),
  };
  const apply = (value: Record<string, unknown>): void => {
    const kept = Object.fromEntries(Object.entries(step.template).filter(([name]) => has(name)));
    const template: Template = { ...objectIn(value['template']), ...kept, type };
    onStep(
      {
        template,
        ...(!isKnown && { metadata: objectIn(value['metadata']) }),
        replyCallback: objectIn(value['replyCallback']),
      },
      'json',
    );
  };
  const shown = <RawEditor key={step.uuid} value={rest} onValue={apply} />;
  if (!isKnown) {
    return (
      <>
        <p class="notice warn">
          The editor has no fields for steps of the type “{type}”. Edit them as JSON; what you do not touch stays as it
          is.
        </p>
        {shown}
      </>
    );
  }
  return (
    <details>
      <summary>Further fields as JSON</summary>
      {shown}
    </details>
  );
}

const membersIn = (schema: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.keys(objectIn(schema['properties']));

function RawEditor({ value, onValue }: { value: object; onValue: (value: Record<string, unknown>) => void }): VNode {
  const current = JSON.stringify(value, undefined, 2);
  const [typed, setTyped] = useState<{ text: string; of: string }>();
  // What is typed stays as it is written while the step means the same; undo and reload replace it.
  const text = typed !== undefined && typed.of === current ? typed.text : current;
  const change = (next: string): void => {
    const { value: read } = objectOf(next);
    setTyped({ text: next, of: read === undefined ? current : JSON.stringify(sameShape(read), undefined, 2) });
    if (read !== undefined) onValue(read);
  };
  return (
    <JsonEditor
      label="Further fields"
      text={text}
      onText={change}
      note="Members of the template such as actor and variables; replyCallback; and, of other step types, metadata."
    />
  );
}

/** As the step shows what was read: without empty members. */
function sameShape(read: Record<string, unknown>): object {
  return Object.fromEntries(
    ['template', 'metadata', 'replyCallback'].flatMap((name) => {
      const value = objectIn(read[name]);
      return read[name] === undefined || (name !== 'metadata' && Object.keys(value).length === 0)
        ? []
        : [[name, value]];
    }),
  );
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
