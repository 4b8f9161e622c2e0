import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createOpenApi, dataOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { type End, openSession, type OpenedSession, type SignedIn, type SignInOptions } from '../session.js';
import { secretIn, textIn } from '../ui/form-text.js';
import { Failed } from '../ui/states.js';
import { forgetPayloads } from '../workflows/kept-payload.js';
import { ProviderLink, takeFault } from './provider-sign-in.js';
import { wordsOfFault } from './provider-words.js';
import { Mark } from './shell.js';

interface Props {
  readonly options: SignInOptions;
  readonly wasRefused: boolean;
  readonly onKey: (session: OpenedSession) => void;
  readonly onPerson: (known: SignedIn) => Promise<void>;
  readonly onEnd: End;
}

/** By email and password, or with an API key, which is neither stored nor put into an address. */
export function SignIn({ options, wasRefused, onKey, onPerson, onEnd }: Props): VNode {
  const { provider } = options;
  const [fault, setFault] = useState(takeFault);
  const [takesKey, setTakesKey] = useState(!options.hasUsers && provider === undefined);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Before the form is seen: later, it would take the focus from a field that somebody types into.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>(needsCode ? '#code' : 'a.primary, input')?.focus();
  }, [takesKey, needsCode]);
  useEffect(forgetPayloads, []);
  const clear = (): void => {
    setFailure(undefined);
    setFault(undefined);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    clear();
    try {
      if (takesKey) onKey(await openSession(textIn(fields, 'key').trim(), onEnd));
      else await onPerson(await signIn(fields));
    } catch (error) {
      setBusy(false);
      const { advice, ...rest } = toFailure(error);
      if (rest.code === 'code_needed') return setNeedsCode(true);
      // That of a refused key; the text says what to do about an email.
      setFailure(takesKey && advice !== undefined ? { ...rest, advice } : rest);
      form.current?.querySelector<HTMLInputElement>('input[type=password]')?.select();
    }
  };
  const change = (): void => {
    clear();
    setTakesKey(!takesKey);
  };
  return (
    <main class="sign-in">
      <form ref={form} onSubmit={(event) => void submit(event)}>
        <h1>
          <Mark /> Herald console
        </h1>
        <Notices
          fault={fault}
          provider={provider}
          wasRefused={wasRefused && failure === undefined}
          takesKey={takesKey}
        />
        {takesKey ? <KeyFields /> : <PersonFields {...options} />}
        {needsCode && !takesKey && <CodeField />}
        {failure && <Failed failure={failure} />}
        <Buttons options={options} takesKey={takesKey} isBusy={isBusy} onChange={change} />
        {takesKey && <KeyHelp />}
      </form>
    </main>
  );
}

interface ButtonsProps {
  readonly options: SignInOptions;
  readonly takesKey: boolean;
  readonly isBusy: boolean;
  readonly onChange: () => void;
}

function Buttons({ options, takesKey, isBusy, onChange }: ButtonsProps): VNode {
  const isMain = takesKey || options.provider === undefined;
  return (
    <>
      {(takesKey || options.takesPasswords) && (
        <button type="submit" class={isMain ? 'primary' : ''} disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      )}
      <button type="button" class="quiet" onClick={onChange}>
        {takesKey ? otherWayOf(options) : 'Use an API key'}
      </button>
    </>
  );
}

interface NoticesProps {
  readonly fault: string | undefined;
  readonly provider: string | undefined;
  readonly wasRefused: boolean;
  readonly takesKey: boolean;
}

function Notices({ fault, provider, wasRefused, takesKey }: NoticesProps): VNode {
  return (
    <>
      {fault !== undefined && (
        <p class="notice bad" role="alert">
          {wordsOfFault(fault, provider)}
        </p>
      )}
      {wasRefused && (
        <p class="notice warn" role="alert">
          {takesKey
            ? 'Your key was revoked or has expired, so you were signed out. Sign in with another key.'
            : 'Your session has ended. Sign in again.'}
        </p>
      )}
    </>
  );
}

function otherWayOf({ provider, takesPasswords }: SignInOptions): string {
  if (provider === undefined) return 'Use email and password';
  return takesPasswords ? `Use ${provider}, or email and password` : `Use ${provider}`;
}

function signIn(fields: FormData): Promise<SignedIn> {
  const body = {
    email: textIn(fields, 'email'),
    password: secretIn(fields, 'password'),
    ...(fields.has('code') && { code: textIn(fields, 'code') }),
  };
  return dataOf(createOpenApi().POST('/v1/users/session', { body }));
}

export function CodeField(): VNode {
  return (
    <>
      <label for="code">Code</label>
      <input
        id="code"
        name="code"
        required
        maxLength={30}
        autocomplete="one-time-code"
        spellcheck={false}
        aria-describedby="code-note"
      />
      <p id="code-note" class="note">
        The six digits that your authenticator app shows, or a recovery code.
      </p>
    </>
  );
}

function PersonFields({ provider, takesPasswords }: SignInOptions): VNode {
  return (
    <>
      {provider !== undefined && <ProviderLink provider={provider} />}
      {provider !== undefined && takesPasswords && <p class="or">or</p>}
      {takesPasswords && <EmailFields />}
    </>
  );
}

function EmailFields(): VNode {
  return (
    <>
      <label for="email">Email</label>
      <input id="email" name="email" type="email" required autocomplete="username" spellcheck={false} />
      <label for="password">Password</label>
      <input id="password" name="password" type="password" required autocomplete="current-password" />
    </>
  );
}

function KeyFields(): VNode {
  return (
    <>
      <label for="key">API key</label>
      <input
        id="key"
        name="key"
        type="password"
        required
        autocomplete="off"
        spellcheck={false}
        aria-describedby="key-note"
      />
      <p id="key-note" class="note">
        The key selects the environment. It is kept in memory only, so you have to enter it again after a reload.
        Viewing needs the scope <code>read</code>; replaying and canceling need <code>trigger</code>.
      </p>
    </>
  );
}

function KeyHelp(): VNode {
  return (
    <details>
      <summary>Where do I find my key?</summary>
      <p>
        Herald prints it when it starts for the first time and stores it in the file <code>api-key</code> in its data
        directory, unless <code>API_KEY</code> is set. The command <code>keys issue</code> issues a new one.
      </p>
    </details>
  );
}
