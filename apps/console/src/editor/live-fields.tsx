import type { ComponentChildren, VNode } from 'preact';
import { Field } from '../ui/fields.js';

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
  /** As of {@link Field}. */
  readonly path?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isCode?: boolean;
  readonly type?: 'text' | 'number' | 'time' | 'url';
  /** Id of a list of suggestions. */
  readonly list?: string;
  readonly onInput: (value: string) => void;
}

/** Tells its value with each character: the draft, its preview and undo follow what is typed. */
export function LiveField({
  label,
  value,
  note,
  path,
  placeholder,
  isCode,
  type = 'text',
  list,
  onInput,
}: InputProps): VNode {
  return (
    <Field label={label} path={path} note={note}>
      {(id, describedBy) => (
        <input
          id={id}
          class={isCode ? 'code' : undefined}
          type={type}
          list={list}
          value={value}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={!isCode && type === 'text'}
          aria-describedby={describedBy}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface CheckProps {
  readonly isOn: boolean;
  readonly children: ComponentChildren;
  readonly onChange: (isOn: boolean) => void;
}

export function Check({ isOn, children, onChange }: CheckProps): VNode {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
