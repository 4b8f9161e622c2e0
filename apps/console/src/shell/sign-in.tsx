import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, toFailure } from '../api/failure.js';
import { openSession, type Session } from '../session.js';
import { Failed } from '../ui/states.js';
import { Mark } from './shell.js';

interface Props {
  readonly wasRefused: boolean;
  readonly onSession: (session: Session) => void;
  readonly onEnd: (reason?: 'refused') => void;
}

/** Asks for the API key. It is neither stored nor put into an address. */
export function SignIn({ wasRefused, onSession, onEnd }: Props): VNode {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      onSession(await openSession(field.current?.value.trim() ?? '', onEnd));
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
      field.current?.select();
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>
          <Mark /> Herald console
        </h1>
        {wasRefused && failure === undefined && (
          <p class="notice warn" role="alert">
            Your key was revoked or has expired, so you were signed out. Sign in with another key.
          </p>
        )}
        <label for="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          required
          ref={field}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="key-note"
        />
        <p id="key-note" class="note">
          The key selects the environment. It is kept in memory only, so you have to enter it again after a reload.
          Viewing needs the scope <code>read</code>; replaying and canceling need <code>trigger</code>.
        </p>
        {failure && <Failed failure={failure} />}
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
        <details>
          <summary>Where do I find my key?</summary>
          <p>
            Herald prints it when it starts for the first time and stores it in the file <code>api-key</code> in its
            data directory, unless <code>API_KEY</code> is set. <code>npm run keys -- issue</code> issues a new one.
          </p>
        </details>
      </form>
    </main>
  );
}
