import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { FaultsOf, Field, SelectField } from '../ui/fields.js';
import {
  changed,
  initialOf,
  inputOf,
  type Member,
  type MemberSchema,
  membersOf,
  unitNameOf,
  type Values,
} from '../step-types/schema.js';
import type { DraftStep } from '../drafts/draft.js';
import { Check, LiveField } from './live-fields.js';
import { titleOf } from '../drafts/step-words.js';
import { TimedFields } from './timed-fields.js';

interface Props {
  /** JSON Schema of an object, as GET /v1/step-types has it. */
  readonly schema: MemberSchema;
  readonly values: Values;
  /** The steps in front, of which a member can name one. */
  readonly earlier: readonly DraftStep[];
  readonly onValues: (values: Values, about: string) => void;
}

/** A form made of a schema: for types of steps that have no form of their own here. */
export function SchemaForm({ schema, values, earlier, onValues }: Props): VNode {
  const former = useRef<Values>({});
  const members = membersOf(schema, values);
  const units = members.map(unitNameOf);
  const set = (name: string, value: unknown): void => {
    former.current = { ...former.current, ...values };
    onValues(changed(schema, values, name, value, former.current), name);
  };
  const fieldOf = (member: Member): VNode => (
    <MemberField
      key={member.name}
      member={member}
      value={values[member.name]}
      unit={values['unit']}
      earlier={earlier}
      onValue={(value) => set(member.name, value)}
    />
  );
  return (
    <>
      {members.map((member, at) => {
        if (units.includes(member.name)) return null;
        const unit = members.find(({ name }) => name === units[at]);
        if (unit === undefined) return fieldOf(member);
        return (
          <div key={member.name} class="two-fields">
            {fieldOf(member)}
            {fieldOf({ ...unit, description: '' })}
          </div>
        );
      })}
    </>
  );
}

interface MemberProps {
  readonly member: Member;
  readonly value: unknown;
  /** Undefined removes the value. */
  readonly onValue: (value: unknown) => void;
}

type FieldProps = MemberProps & Pick<Props, 'earlier'> & { readonly unit: unknown };

function MemberField({ earlier, unit, ...props }: FieldProps): VNode {
  const { member, value, onValue } = props;
  switch (inputOf(member)) {
    case 'choice':
      return <ChoiceField {...props} />;
    case 'open':
      return <OpenChoiceField {...props} />;
    case 'step':
      return <StepField {...props} earlier={earlier} />;
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
      return <TextsField {...props} />;
    case 'rows':
      return <RowsField {...props} earlier={earlier} />;
    case 'timed':
      return (
        <FaultsOf path={member.name}>
          <TimedFields timed={value ?? {}} unit={unit} onTimed={onValue} />
        </FaultsOf>
      );
    default:
      return <JsonField {...props} />;
  }
}

function ChoiceField({ member, value, onValue }: MemberProps): VNode {
  const { enum: values = [], 'x-labels': words = {}, default: fallback, description } = member;
  const choices = values.map(String).map((one) => ({ value: one, label: words[one] ?? one }));
  const hasNone = fallback === undefined && !(member.isRequired && value !== undefined);
  return (
    <SelectField
      label={labelOf(member)}
      path={member.name}
      note={description || undefined}
      value={textOf(value ?? fallback)}
      choices={hasNone ? [{ value: '', label: '–' }, ...choices] : choices}
      onChange={(chosen) => onValue(chosen === '' ? undefined : chosen)}
    />
  );
}

/** A choice among known texts, or any other text. */
function OpenChoiceField({ member, value, onValue }: MemberProps): VNode {
  const { name, 'x-labels': words = {}, 'x-other': other, description } = member;
  const text = textOf(value);
  const isKnown = text in words;
  return (
    <>
      <SelectField
        label={labelOf(member)}
        path={name}
        note={description}
        value={isKnown ? text : ''}
        choices={[
          ...Object.entries(words).map(([known, label]) => ({ value: known, label })),
          { value: '', label: other?.choice ?? 'Other' },
        ]}
        onChange={(chosen) => onValue(chosen === '' ? other?.['x-initial'] : chosen)}
      />
      {!isKnown && (
        <LiveField
          {...shownAs({ ...member, ...other, 'x-control': 'path' })}
          value={text}
          onInput={(typed) => onValue(typed || undefined)}
        />
      )}
    </>
  );
}

function StepField({ member, value, earlier, onValue }: MemberProps & Pick<Props, 'earlier'>): VNode {
  const steps = earlier.map((step) => ({ step, value: step.stepId ?? step.uuid }));
  const chosen = steps.find(({ step }) => step.stepId === value || step.uuid === value)?.value ?? textOf(value);
  const choices = steps.map(({ step, value: id }) => ({ value: id, label: titleOf(step) }));
  const isKnown = chosen === '' || choices.some((choice) => choice.value === chosen);
  return (
    <SelectField
      label={labelOf(member)}
      path={member.name}
      note={member.description}
      value={chosen}
      choices={[
        { value: '', label: '–' },
        ...choices,
        // A step that is gone, or stands behind.
        ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
      ]}
      onChange={(id) => onValue(id === '' ? undefined : id)}
    />
  );
}

/** Objects, each with the fields of its members. */
function RowsField({ member, value, earlier, onValue }: MemberProps & Pick<Props, 'earlier'>): VNode {
  const { name, description, items = {}, maxItems = Infinity } = member;
  const rows = Array.isArray(value) ? (value as readonly Values[]) : [];
  const set = (next: readonly Values[]): void => onValue(next.length === 0 ? undefined : next);
  return (
    <fieldset class="form">
      <legend>{labelOf(member)}</legend>
      {description && <p class="note">{description}</p>}
      {rows.map((row, at) => (
        <FaultsOf key={at} path={`${name}.${at}`}>
          <div class={Object.keys(items.properties ?? {}).length === 2 ? 'pair' : 'two-fields'}>
            <SchemaForm
              schema={withoutNotes(items)}
              values={row}
              earlier={earlier}
              onValues={(next) => set(rows.with(at, next))}
            />
            <button
              type="button"
              class="small quiet"
              aria-label={`Remove entry ${at + 1} of ${labelOf(member)}`}
              onClick={() => set(rows.toSpliced(at, 1))}
            >
              Remove
            </button>
          </div>
        </FaultsOf>
      ))}
      {rows.length < maxItems && (
        <div class="button-line">
          <button type="button" class="small" onClick={() => set([...rows, initialOf(items)])}>
            Add entry
          </button>
        </div>
      )}
    </fieldset>
  );
}

/** The note of all entries stands above them. */
function withoutNotes({ properties = {}, ...schema }: MemberSchema): MemberSchema {
  const bare = Object.entries(properties).map(([name, member]) => [name, { ...member, description: '' }]);
  return { ...schema, properties: Object.fromEntries(bare) as Readonly<Record<string, MemberSchema>> };
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

interface Shown {
  readonly label: string;
  readonly path: string;
  readonly isCode: boolean;
  readonly note?: string | undefined;
  readonly placeholder: string | undefined;
}

function shownAs(member: Member): Shown {
  const { name, description, default: fallback, examples = [], 'x-control': control } = member;
  const isCode = control !== undefined && control !== 'duration';
  // What counts if nothing is typed, or else what could be.
  const [placeholder] = [fallback, isCode ? examples[0] : ''].filter(isPlain).map(String);
  return { label: labelOf(member), path: name, isCode, placeholder, note: description || undefined };
}

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
