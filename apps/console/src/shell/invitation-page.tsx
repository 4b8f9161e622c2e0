import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { createOpenApi, dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { CONSOLE } from '../public-path.js';
import type { SignedIn, SignInOptions } from '../session.js';
import { secretIn, textIn } from '../ui/form-text.js';
import { Failed, Loading } from '../ui/states.js';
import { ProviderLink } from './provider-sign-in.js';
import { Mark } from './shell.js';
import { CodeField } from './sign-in.js';

type OpenedLink = Schemas['OpenedLinkResponse'];

/** Where the link of an invitation leads, or one that sets a new password. The token comes after `#`, so no log has it. */
export function InvitationPage({ onSignedIn }: { onSignedIn: (known: SignedIn) => Promise<void> }): VNode {
  const [token] = useState(() => location.hash.slice(1));
  const query = useQuery('link', () => dataOf(createOpenApi().POST('/v1/users/invitations/look', { body: { token } })));
  const options = useQuery('options', () => dataOf(createOpenApi().GET('/v1/users/session/options')));
  const failure = query.failure ?? options.failure;
  return (
    <main class="sign-in">
      {query.data && options.data ? (
        <JoinForm link={query.data} options={options.data} token={token} onSignedIn={onSignedIn} />
      ) : (
        <form>
          <h1>
            <Mark /> Herald console
          </h1>
          {failure ? <Failed failure={{ ...failure, advice: '' }} /> : <Loading lines={3} />}
          <a href={CONSOLE}>Go to the console</a>
        </form>
      )}
    </main>
  );
}

interface Props {
  readonly link: OpenedLink;
  readonly options: SignInOptions;
  readonly token: string;
  readonly onSignedIn: (known: SignedIn) => Promise<void>;
}

function JoinForm({ link, options, token, onSignedIn }: Props): VNode {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const { email, isRecovery } = link;
  const { provider } = options;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setFailure(undefined);
    try {
      const body = {
        token,
        password: secretIn(fields, 'password'),
        ...(email === undefined && { email: textIn(fields, 'email') }),
        ...(fields.has('code') && { code: textIn(fields, 'code') }),
        ...(fields.has('name') && { name: textIn(fields, 'name') }),
      };
      await onSignedIn(await dataOf(createOpenApi().POST('/v1/users/invitations/accept', { body })));
    } catch (error) {
      setBusy(false);
      const failed = toFailure(error);
      if (failed.code === 'code_needed') setNeedsCode(true);
      else setFailure(failed);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h1>
        <Mark /> {isRecovery ? 'Choose a new password' : 'Welcome to Herald'}
      </h1>
      {provider !== undefined && email !== undefined && !isRecovery && (
        <>
          <p class="note">
            Sign in as {email} to accept the invitation{options.takesPasswords && ', or choose a password'}.
          </p>
          <ProviderLink provider={provider} />
        </>
      )}
      {options.takesPasswords ? (
        <>
          <JoinFields {...link} />
          {needsCode && <CodeField />}
          {failure && <Failed failure={failure} />}
          <button type="submit" class={provider === undefined ? 'primary' : ''} disabled={isBusy}>
            {isBusy ? 'One moment…' : isRecovery ? 'Set the password' : 'Join'}
          </button>
        </>
      ) : (
        <p class="note">This Herald takes no passwords.</p>
      )}
    </form>
  );
}

function JoinFields({ email, hasAccount, isRecovery }: OpenedLink): VNode {
  return (
    <>
      <label for="email">Email</label>
      <input
        id="email"
        name="email"
        type="email"
        required
        autocomplete="username"
        defaultValue={email ?? ''}
        readOnly={email !== undefined}
      />
      {!hasAccount && !isRecovery && (
        <>
          <label for="name">Your name</label>
          <input id="name" name="name" autocomplete="name" maxLength={255} />
        </>
      )}
      <label for="password">{hasAccount ? 'Password of your account' : 'New password'}</label>
      <input
        id="password"
        name="password"
        type="password"
        required
        autocomplete={hasAccount ? 'current-password' : 'new-password'}
        aria-describedby="password-note"
      />
      <p id="password-note" class="note">
        {hasAccount
          ? 'You have an account already. Its password shows that the invitation is yours.'
          : 'At least 12 characters, such as four words that do not belong together.'}
      </p>
    </>
  );
}
