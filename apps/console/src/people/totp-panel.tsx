import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import { type Api, bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useApi, useSession } from '../session.js';
import { CopyButton } from '../ui/copy-button.js';
import { Confirm, Dialog, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/fields.js';
import { secretIn, textIn } from '../ui/form-text.js';
import { useToast } from '../ui/toasts.js';

type TotpSecret = Schemas['TotpSecretResponse'];

/** Whether signing in needs the codes of an authenticator app. */
export function Codes(): VNode {
  const api = useApi();
  const { person } = useSession();
  const [open, setOpen] = useState<'on' | 'off'>();
  const isRequired = person?.known.requiresTotp === true;
  const isOn = person?.known.hasTotp === true;
  const close = (): void => setOpen(undefined);
  return (
    <section class="panel">
      <h2>Codes of an authenticator app</h2>
      <p>
        {isOn
          ? 'On. Whoever signs in as you needs your password and your device.'
          : 'Off. With codes, a stolen password is not enough to sign in as you.'}
      </p>
      {isOn && isRequired ? (
        <p class="note">
          This Herald demands them, so they cannot be switched off. An owner can reset them for a new device.
        </p>
      ) : (
        <p class="button-line">
          <button type="button" onClick={() => setOpen(isOn ? 'off' : 'on')}>
            {isOn ? 'Switch codes off…' : 'Switch codes on…'}
          </button>
        </p>
      )}
      {open === 'on' && <SwitchOn api={api} onClose={close} onDone={() => person?.reload()} />}
      {open === 'off' && <SwitchOff onClose={close} />}
    </section>
  );
}

interface SwitchOnProps {
  readonly api: Api;
  readonly onClose: () => void;
  /** Codes are on. */
  readonly onDone: () => void;
}

/** The password, then the secret with its first code, then the recovery codes. */
export function SwitchOn({ api, onClose, onDone }: SwitchOnProps): VNode {
  const [secret, setSecret] = useState<TotpSecret>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const begin = async (form: FormData): Promise<void> => {
    const body = { password: secretIn(form, 'password') };
    setSecret(await dataOf(api.POST('/v1/users/me/totp', { body })));
  };
  const confirm = async (form: FormData): Promise<void> => {
    const body = { code: textIn(form, 'code') };
    setRecoveryCodes((await dataOf(api.POST('/v1/users/me/totp/confirm', { body }))).recoveryCodes);
  };
  const done = (): void => {
    onClose();
    if (recoveryCodes !== undefined) onDone();
  };
  return (
    <Dialog title="Codes of an authenticator app" onClose={done}>
      {recoveryCodes !== undefined ? (
        <RecoveryCodes codes={recoveryCodes} onClose={done} />
      ) : secret === undefined ? (
        <DialogForm action="Continue" onClose={onClose} onSubmit={begin}>
          <PasswordField />
        </DialogForm>
      ) : (
        <DialogForm key="confirm" action="Confirm" onClose={onClose} onSubmit={confirm}>
          <p>Scan this with an authenticator app, or type the secret into it.</p>
          <QrCode text={secret.uri} />
          <p class="secret">
            <code tabIndex={0}>{secret.secret}</code>
          </p>
          <CodeField note="The six digits that the app shows now." />
        </DialogForm>
      )}
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): VNode {
  const text = codes.join('\n');
  return (
    <div class="form">
      <p class="notice warn" role="alert">
        Codes are on. Keep these recovery codes; they will not be shown again. Each signs in once if your device is
        lost.
      </p>
      <pre class="raw" tabIndex={0} aria-label="Recovery codes">
        {text}
      </pre>
      <div class="dialog-buttons">
        <CopyButton text={text} />
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}

function SwitchOff({ onClose }: { onClose: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const { person } = useSession();
  const disable = async (form: FormData): Promise<void> => {
    const body = { password: secretIn(form, 'password'), code: textIn(form, 'code') };
    await bodyOf(api.POST('/v1/users/me/totp/disable', { body }));
    toast('Codes are off. Your other sessions have ended.');
    person?.reload();
  };
  return (
    <Confirm title="Switch codes off" action="Switch off" isDangerous onClose={onClose} onConfirm={disable}>
      <p>Then your password is enough to sign in as you.</p>
      <PasswordField />
      <CodeField note="The six digits that the app shows now, or a recovery code." />
    </Confirm>
  );
}

function PasswordField(): VNode {
  return (
    <Field label="Your password">
      {(id) => <input id={id} name="password" type="password" required autocomplete="current-password" />}
    </Field>
  );
}

function CodeField({ note }: { note: string }): VNode {
  return (
    <Field label="Code" note={note}>
      {(id, describedBy) => (
        <input id={id} name="code" required autocomplete="one-time-code" aria-describedby={describedBy} />
      )}
    </Field>
  );
}

/** Dark on light in every scheme, or cameras do not read it. */
function QrCode({ text }: { text: string }): VNode {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the secret">
      <rect width={size} height={size} />
      <path d={path} />
    </svg>
  );
}
