import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useState } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Below the field: what it expects. */
  readonly note?: string;
  readonly children: (id: string, describedBy: string | undefined) => ComponentChildren;
}

/** A label, its field and a note. */
export function Field({ label, note, children }: FieldProps): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, note === undefined ? undefined : `${id}-note`)}
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
    <Field label={label} {...(note !== undefined && { note })}>
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
  readonly onChange?: (value: string) => void;
}

/** Tells its value when the field is left or Enter is pressed, and not with each character. */
export function TextField({ label, value, note, placeholder, type = 'text', name, onChange }: TextProps): VNode {
  // What is being typed must survive that the page is drawn again.
  const [draft, setDraft] = useState(value);
  // Before the new value is seen: later, it would undo what somebody has typed since.
  useLayoutEffect(() => setDraft(value), [value]);
  return (
    <Field label={label} {...(note !== undefined && { note })}>
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
  readonly name?: string;
  readonly onChange?: (value: string) => void;
}

export function SelectField({ label, value, choices, name, onChange }: SelectProps): VNode {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} name={name} value={value} onChange={(event) => onChange?.(event.currentTarget.value)}>
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
