import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Field, SelectField } from '../ui/fields.js';
import { type Member, inputOf, membersOf, type Values } from '../step-types/schema.js';
import { Check, LiveField } from './live-fields.js';

interface Props {
  /** JSON Schema of an object, as GET /v1/step-types has it. */
  readonly schema: Values;
  readonly values: Values;
  readonly onValues: (values: Values, about: string) => void;
}

/** A form made of a schema: for types of steps that have no form of their own here. */
export function SchemaForm({ schema, values, onValues }: Props): VNode {
  const set = (name: string, value: unknown): void => {
    const { [name]: _former, ...others } = values;
    onValues(value === undefined ? others : { ...others, [name]: value }, name);
  };
  return (
    <>
      {membersOf(schema, values).map((member) => (
        <MemberField
          key={member.name}
          member={member}
          value={values[member.name]}
          onValue={(value) => set(member.name, value)}
        />
      ))}
    </>
  );
}

interface MemberProps {
  readonly member: Member;
  readonly value: unknown;
  /** Undefined removes the value. */
  readonly onValue: (value: unknown) => void;
}

function MemberField({ member, value, onValue }: MemberProps): VNode {
  switch (inputOf(member)) {
    case 'choice':
      return <ChoiceField member={member} value={value} onValue={onValue} />;
    case 'check':
      return (
        <Check isOn={value === true} onChange={(isOn) => onValue(isOn || undefined)}>
          {labelOf(member)}
        </Check>
      );
    case 'number':
      return (
        <LiveField
          {...shownAs(member)}
          type="number"
          value={typeof value === 'number' ? String(value) : ''}
          onInput={(text) => onValue(text === '' ? undefined : Number(text))}
        />
      );
    case 'text':
      return <LiveField {...shownAs(member)} value={textOf(value)} onInput={(text) => onValue(text || undefined)} />;
    case 'long':
      return <LongField member={member} text={textOf(value)} onText={(text) => onValue(text || undefined)} />;
    case 'texts':
      return <TextsField member={member} value={value} onValue={onValue} />;
    default:
      return <JsonField member={member} value={value} onValue={onValue} />;
  }
}

function ChoiceField({ member, value, onValue }: MemberProps): VNode {
  const words = member['x-labels'] ?? {};
  const choices = (member.enum ?? []).map(String).map((one) => ({ value: one, label: words[one] ?? one }));
  return (
    <SelectField
      label={labelOf(member)}
      path={member.name}
      value={textOf(value)}
      choices={member.isRequired && value !== undefined ? choices : [{ value: '', label: '–' }, ...choices]}
      onChange={(chosen) => onValue(chosen === '' ? undefined : chosen)}
    />
  );
}

interface LongProps {
  readonly member: Member;
  readonly text: string;
  readonly onText: (text: string) => void;
}

function LongField({ member, text, onText }: LongProps): VNode {
  return (
    <Field {...shownAs(member)}>
      {(id, describedBy) => (
        <textarea
          id={id}
          class="code"
          rows={4}
          value={text}
          spellcheck={false}
          aria-describedby={describedBy}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** One text in each line. */
function TextsField({ member, value, onValue }: MemberProps): VNode {
  const stored = Array.isArray(value) ? value.join('\n') : '';
  const [typed, setTyped] = useState(stored);
  const change = (text: string): void => {
    setTyped(text);
    const texts = linesOf(text);
    onValue(texts.length === 0 ? undefined : texts);
  };
  const { description = '' } = member;
  return (
    <LongField
      member={{ ...member, description: `${description} One in each line.`.trim() }}
      // What is typed stays as it is written while it means the same; undo replaces it.
      text={linesOf(typed).join('\n') === stored ? typed : stored}
      onText={change}
    />
  );
}

/** Anything else, as JSON. What cannot be read yet changes nothing. */
function JsonField({ member, value, onValue }: MemberProps): VNode {
  const stored = value === undefined ? '' : JSON.stringify(value, undefined, 2);
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: string }>();
  const text = typed !== undefined && typed.of === stored ? typed.text : stored;
  const read = readJson(text);
  const change = (next: string): void => {
    const found = readJson(next);
    setTyped({ text: next, of: found === undefined ? stored : JSON.stringify(found.value, undefined, 2) || '' });
    if (found !== undefined) onValue(found.value);
  };
  const { description = '' } = member;
  const note =
    read === undefined ? 'This is not JSON yet; the last value that was is kept.' : `${description} As JSON.`;
  return <LongField member={{ ...member, description: note.trim() }} text={text} onText={change} />;
}

function readJson(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
const labelOf = ({ title, name }: Member): string => title ?? name;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function shownAs(member: Member): { label: string; path: string; isCode: boolean; note?: string } {
  const { name, description } = member;
  const isCode = member['x-control'] !== undefined;
  return { label: labelOf(member), path: name, isCode, ...(description !== undefined && { note: description }) };
}
