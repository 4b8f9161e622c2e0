import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext, useId, useLayoutEffect, useState } from 'preact/hooks';
import type { Fault } from '../api/failure.js';

/** What the API has found wrong in the fields of a form, by the paths of its body. */
const Faults = createContext<readonly Fault[]>([]);
export const FaultScope = Faults.Provider;

/** A part of a form: its fields name their paths from there. */
export function FaultsOf({ path, children }: { path: string; children: ComponentChildren }): VNode {
  const all = useContext(Faults);
  const beginning = `${path}.`;
  const own = all.flatMap((fault) =>
    fault.path.startsWith(beginning) ? [{ ...fault, path: fault.path.slice(beginning.length) }] : [],
  );
  return <Faults.Provider value={own}>{children}</Faults.Provider>;
}

/** What the API has found wrong in a part of the body, or below it. */
export function useFault(path: string | undefined): string | undefined {
  const faults = useContext(Faults);
  if (path === undefined) return undefined;
  return faults.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.text;
}

interface FieldProps {
  readonly label: string;
  /** Of the part of the body, for what the API finds wrong in it. */
  readonly path?: string | undefined;
  /** Below the field: what it expects. */
  readonly note?: string | undefined;
  readonly children: (id: string, describedBy: string | undefined) => ComponentChildren;
}

/** A label, its field and a note. */
export function Field({ label, path, note, children }: FieldProps): VNode {
  const id = useId();
  const fault = useFault(path);
  const described = [fault !== undefined && `${id}-fault`, note !== undefined && `${id}-note`].filter(Boolean);
  return (
    <div class={fault === undefined ? 'field' : 'field faulty'}>
      <label for={id}>{label}</label>
      {children(id, described.length === 0 ? undefined : described.join(' '))}
      {fault !== undefined && (
        <p class="code-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}

interface RequiredProps {
  readonly label: string;
  /** In the form. */
  readonly name: string;
  readonly value?: string | undefined;
  readonly note?: string;
  readonly placeholder?: string;
  /** Not words: an id, an address. */
  readonly isCode?: boolean;
  readonly maxLength?: number;
}

/** A text that a dialog needs, and reads when it is confirmed. */
export function RequiredField({
  label,
  name,
  value,
  note,
  isCode = false,
  maxLength = 255,
  ...more
}: RequiredProps): VNode {
  return (
    <Field label={label} path={name} note={note}>
      {(id, describedBy) => (
        <input
          {...more}
          id={id}
          name={name}
          required
          maxLength={maxLength}
          autocomplete="off"
          spellcheck={!isCode}
          defaultValue={value}
          aria-describedby={describedBy}
        />
      )}
    </Field>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'search' | 'datetime-local' | 'number' | 'email';
  readonly name?: string;
  /** As of {@link Field}. */
  readonly path?: string;
  readonly onChange?: (value: string) => void;
}

/** Tells its value when the field is left or Enter is pressed, and not with each character. */
export function TextField(props: TextProps): VNode {
  const { label, value, note, placeholder, type = 'text', name, path = name, onChange } = props;
  // What is being typed must survive that the page is drawn again.
  const [draft, setDraft] = useState(value);
  // Before the new value is seen: later, it would undo what somebody has typed since.
  useLayoutEffect(() => setDraft(value), [value]);
  return (
    <Field label={label} path={path} note={note}>
      {(id, describedBy) => (
        <input
          id={id}
          name={name}
          type={type}
          value={draft}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={describedBy}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly note?: string | undefined;
  readonly name?: string;
  /** As of {@link Field}. */
  readonly path?: string;
  readonly onChange?: (value: string) => void;
}

export function SelectField({ label, value, choices, note, name, path = name, onChange }: SelectProps): VNode {
  return (
    <Field label={label} path={path} note={note}>
      {(id, describedBy) => (
        <select
          id={id}
          name={name}
          value={value}
          aria-describedby={describedBy}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
