import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client.js';
import { Confirm } from '../ui/dialog.js';
import { textIn } from '../ui/form-text.js';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import { prettyJson } from '../ui/pretty-json.js';
import { readSubscriber, SUBSCRIBER_FIELDS, type SubscriberFields } from './subscriber-fields.js';
import type { Subscriber } from './subscriber-words.js';

interface Props {
  readonly title: string;
  readonly action: string;
  /** Undefined: a new one, whose id is asked. */
  readonly subscriber?: Subscriber;
  readonly onClose: () => void;
  readonly onSave: (fields: SubscriberFields & Schemas['UpdateSubscriberDto'], subscriberId: string) => Promise<void>;
}

/** The fields of a person, in a dialog. */
export function SubscriberForm({ title, action, subscriber, onClose, onSave }: Props): VNode {
  const [data, setData] = useState(() => prettyJson(subscriber?.data ?? {}));
  const { value, fault } = objectOf(data);
  const save = (form: FormData): Promise<void> =>
    onSave({ ...readSubscriber(form, subscriber), ...(value && { data: value }) }, textIn(form, 'subscriberId'));
  return (
    <Confirm title={title} action={action} isDisabled={fault !== undefined} onClose={onClose} onConfirm={save}>
      {subscriber === undefined && (
        <div class="field">
          <label for="subscriber-id">Subscriber id</label>
          <input
            id="subscriber-id"
            name="subscriberId"
            required
            maxLength={255}
            autocomplete="off"
            spellcheck={false}
          />
          <p class="note">The id that your own system has for this person. It cannot be changed later.</p>
        </div>
      )}
      <div class="two-fields">
        {SUBSCRIBER_FIELDS.map(({ name, label, type, placeholder }) => (
          <div key={name} class="field">
            <label for={`subscriber-${name}`}>{label}</label>
            <input
              id={`subscriber-${name}`}
              name={name}
              type={type ?? 'text'}
              placeholder={placeholder}
              autocomplete="off"
              spellcheck={false}
              defaultValue={subscriber?.[name] ?? ''}
            />
          </div>
        ))}
      </div>
      <JsonEditor
        label="Data"
        text={data}
        onText={setData}
        note="Templates and conditions read it as subscriber.data."
      />
    </Confirm>
  );
}
