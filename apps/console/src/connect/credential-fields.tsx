import type { VNode } from 'preact';
import { plainWords } from '../api/plain-words.js';
import { Check } from '../editor/live-fields.js';
import { Field } from '../ui/fields.js';
import type { CredentialField, FormValues, Integration } from './integration-form.js';

interface Props {
  readonly fields: readonly CredentialField[];
  readonly values: FormValues;
  readonly faults: Readonly<Record<string, string>>;
  readonly stored: Integration['credentials'] | undefined;
  readonly onValue: (key: string, value: string | boolean) => void;
}

/** Most servers ask for them, although none has to. */
const SIGN_IN: ReadonlySet<string> = new Set(['user', 'password']);

/** The fields that the catalogue names for a provider; what is not required comes last and folded. */
export function CredentialFields({ fields, ...rest }: Props): VNode {
  const required = fields.filter(({ required, unless, key }) => required || unless !== undefined || SIGN_IN.has(key));
  const others = fields.filter((field) => !required.includes(field));
  const isOpen = others.some(({ key }) => rest.faults[key] !== undefined);
  return (
    <>
      {required.map((field) => (
        <CredentialInput key={field.key} field={field} {...rest} />
      ))}
      {others.length > 0 && (
        <details open={isOpen || required.length === 0}>
          <summary>Optional settings</summary>
          <div class="form optional">
            {others.map((field) => (
              <CredentialInput key={field.key} field={field} {...rest} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function CredentialInput({
  field,
  values,
  faults,
  stored,
  onValue,
}: Omit<Props, 'fields'> & { field: CredentialField }): VNode {
  const { key, type, secret, label } = field;
  const value = values[key] ?? '';
  const fault = faults[key];
  if (typeof value === 'boolean') {
    return (
      <Check isOn={value} onChange={(isOn) => onValue(key, isOn)}>
        {label} <span class="soft">{noteOf(field)}</span>
      </Check>
    );
  }
  const isStored = stored?.[key] !== undefined;
  return (
    <Field label={label} path={`credentials.${key}`} note={noteOf(field)}>
      {(id, describedBy) => (
        <>
          <input
            id={id}
            type={secret ? 'password' : 'text'}
            inputMode={type === 'number-string' ? 'numeric' : undefined}
            value={value}
            placeholder={secret && isStored ? 'Stored; leave empty to keep it' : type === 'object' ? '{}' : undefined}
            autocomplete={secret ? 'new-password' : 'off'}
            spellcheck={false}
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? describedBy : `${id}-missing`}
            onInput={(event) => onValue(key, event.currentTarget.value)}
          />
          {fault !== undefined && (
            <p class="code-fault" id={`${id}-missing`} role="alert">
              {fault}
            </p>
          )}
        </>
      )}
    </Field>
  );
}

/** Where it is found, or what belongs there if the label does not say it. */
function noteOf({ label, description, where }: CredentialField): string | undefined {
  if (where !== undefined) return plainWords(where);
  return description.toLowerCase() === label.toLowerCase() ? undefined : plainWords(description);
}
