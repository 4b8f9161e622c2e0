import type { VNode } from 'preact';
import { bodyOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { useToast } from '../ui/toasts.js';
import { type Locale, type Messages, messagesOf, type Row } from './words-table.js';

interface Props {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function NewLocaleDialog({ onClose, onDone }: Props): VNode {
  const api = useApi();
  const add = async (form: FormData): Promise<void> => {
    const locale = textIn(form, 'locale');
    const messages = await fileIn(form);
    const params = { path: { locale } };
    await bodyOf(api.PUT('/v1/translations/{locale}', { params, body: { messages: messages } }));
    onDone();
  };
  return (
    <Confirm title="Add a locale" action="Add" onClose={onClose} onConfirm={add}>
      <Field label="Locale" note="A language, with a region where it matters: de, de-AT, ar.">
        {(id, describedBy) => (
          <input
            id={id}
            name="locale"
            required
            maxLength={35}
            pattern="[A-Za-z]{2,8}([_\-][A-Za-z0-9]{1,8})*"
            autocomplete="off"
            spellcheck={false}
            aria-describedby={describedBy}
          />
        )}
      </Field>
      <FileField />
    </Confirm>
  );
}

export function ImportDialog({ locale: { locale }, onClose, onDone }: Props & { readonly locale: Locale }): VNode {
  const api = useApi();
  const toast = useToast();
  const read = async (form: FormData): Promise<void> => {
    const params = { path: { locale } };
    const messages = await fileIn(form);
    if (form.get('replace') === 'on')
      await bodyOf(api.PUT('/v1/translations/{locale}', { params, body: { messages } }));
    else await bodyOf(api.PATCH('/v1/translations/{locale}', { params, body: { messages } }));
    toast(`The messages of ${locale} were imported.`);
    onDone();
  };
  return (
    <Confirm title={`Import messages of ${locale}`} action="Import" onClose={onClose} onConfirm={read}>
      <FileField />
      <label class="check">
        <input type="checkbox" name="replace" />
        <span>
          Remove keys that the file does not have <span class="soft">Otherwise, they stay as they are.</span>
        </span>
      </label>
    </Confirm>
  );
}

export function DeleteLocaleDialog({
  locale: { locale },
  onClose,
  onDone,
}: Props & { readonly locale: Locale }): VNode {
  const api = useApi();
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/translations/{locale}', { params: { path: { locale } } }));
    onDone();
  };
  return (
    <Confirm title={`Delete ${locale}`} action="Delete" isDangerous onClose={onClose} onConfirm={remove}>
      <p>Recipients of this locale get the words of the default locale from now on. This cannot be undone.</p>
    </Confirm>
  );
}

interface EditProps extends Props {
  /** Absent: a new key. */
  readonly row: Row | undefined;
  readonly locales: readonly Locale[];
}

/** Changes a key in all locales. An empty field removes the message. */
export function EditDialog({ row, locales, onClose, onDone }: EditProps): VNode {
  const api = useApi();
  const save = async (form: FormData): Promise<void> => {
    const key = row?.key ?? textIn(form, 'key');
    try {
      for (const { locale } of locales) {
        const text = messageIn(form, locale);
        if (text === (row?.messages[locale] ?? '')) continue;
        const messages = { [key]: text === '' ? null : text };
        await bodyOf(api.PATCH('/v1/translations/{locale}', { params: { path: { locale } }, body: { messages } }));
      }
    } finally {
      // What was saved before a fault is shown, too.
      onDone();
    }
  };
  return (
    <Confirm title={row === undefined ? 'Add a key' : row.key} action="Save" onClose={onClose} onConfirm={save}>
      {row === undefined && (
        <Field label="Key" note="As templates name it, such as order.shipped.">
          {(id, describedBy) => (
            <input id={id} name="key" required maxLength={200} autocomplete="off" aria-describedby={describedBy} />
          )}
        </Field>
      )}
      {locales.map(({ locale, direction }) => (
        <Field key={locale} label={locale}>
          {(id) => (
            <textarea
              id={id}
              name={`message-${locale}`}
              rows={2}
              maxLength={5000}
              lang={locale}
              dir={direction}
              defaultValue={row?.messages[locale] ?? ''}
            />
          )}
        </Field>
      ))}
      <p class="note">
        ICU MessageFormat: <code>{'{count, plural, one {# item} other {# items}}'}</code>. An empty field removes the
        message.
      </p>
    </Confirm>
  );
}

function FileField(): VNode {
  return (
    <Field label="File" note="JSON: keys and messages, nested or not, or a file of herald pull.">
      {(id, describedBy) => (
        <input id={id} name="file" type="file" accept=".json,application/json" aria-describedby={describedBy} />
      )}
    </Field>
  );
}

async function fileIn(form: FormData): Promise<Messages> {
  const file = form.get('file');
  return file instanceof File && file.size > 0 ? messagesOf(await file.text()) : {};
}

/** Blanks around it may be meant. */
function messageIn(form: FormData, locale: string): string {
  const text = form.get(`message-${locale}`);
  return typeof text === 'string' ? text.replaceAll('\r\n', '\n') : '';
}
