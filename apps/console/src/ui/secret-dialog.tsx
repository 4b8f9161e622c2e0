import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Failure, toFailure } from '../api/failure.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { Failed } from './states.js';

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
  const { title, children, action, isDangerous, secretName, note, onClose, onSubmit } = props;
  const [secret, setSecret] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      setSecret(await onSubmit(new FormData(event.currentTarget as HTMLFormElement)));
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title={secret === undefined ? title : `The new ${secretName}`} onClose={onClose}>
      {secret === undefined ? (
        <form onSubmit={(event) => void submit(event)}>
          {children}
          {failure && <Failed failure={failure} />}
          <div class="dialog-buttons">
            <button type="button" onClick={onClose}>
              Close
            </button>
            <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isBusy}>
              {isBusy ? 'Working…' : action}
            </button>
          </div>
        </form>
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
        Copy it now: the console does not show it again.
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
