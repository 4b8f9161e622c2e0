import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from './copy-button.js';
import { Dialog, DialogForm } from './dialog.js';

interface Props {
  readonly title: string;
  /** What will happen, and fields. */
  readonly children: ComponentChildren;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Name of the secret, such as `API key`. */
  readonly secretName: string;
  /** Below the secret: what to do with it. */
  readonly note: string;
  readonly onClose: () => void;
  /** @returns the secret, which is kept in this dialog only */
  readonly onSubmit: (form: FormData) => Promise<string>;
}

/** Asks, makes a secret, and shows it once: it is in no address, storage or log, and closing forgets it. */
export function SecretDialog(props: Props): VNode {
  const { title, secretName, note, onSubmit, ...form } = props;
  const { onClose } = form;
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog title={secret === undefined ? title : `New ${secretName}`} onClose={onClose}>
      {secret === undefined ? (
        <DialogForm {...form} onSubmit={async (fields) => setSecret(await onSubmit(fields))} />
      ) : (
        <Shown secret={secret} note={note} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Shown({ secret, note, onClose }: Pick<Props, 'note' | 'onClose'> & { secret: string }): VNode {
  return (
    <div class="form">
      <p class="notice warn" role="alert">
        Copy it now. It will not be shown again.
      </p>
      <p class="secret">
        <code tabIndex={0}>{secret}</code>
      </p>
      <p class="note">{note}</p>
      <div class="dialog-buttons">
        <CopyButton text={secret} />
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
