import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { bodyOf, createApi } from '../api/client.js';
import { useHeld } from '../session.js';
import { ToastProvider } from '../ui/toasts.js';
import { SwitchOn } from './totp-panel.js';

/** In place of all other pages, until the codes that Herald demands are on. */
export function TotpSetUp(): VNode {
  const { known, onDone, onEnd } = useHeld();
  const { csrfToken, environments, email } = known;
  const environmentId = environments[0]?._id ?? '';
  const api = useMemo(() => createApi({ csrfToken, environmentId }, () => onEnd()), [csrfToken, environmentId, onEnd]);
  const [isOpen, setOpen] = useState(false);
  const signOut = (): void => void bodyOf(api.DELETE('/v1/users/session')).finally(() => onEnd());
  return (
    <ToastProvider>
      <main class="sign-in">
        <form onSubmit={(event) => event.preventDefault()}>
          <h1>One more step</h1>
          <p>
            This Herald demands a second factor. Set up an authenticator app for {email}; until then, nothing else is
            open to you.
          </p>
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            Set up an authenticator app…
          </button>
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </form>
      </main>
      {isOpen && <SwitchOn api={api} onClose={() => setOpen(false)} onDone={onDone} />}
    </ToastProvider>
  );
}
