import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi, useSession } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field } from '../ui/fields.js';
import { secretIn, textIn } from '../ui/form-text.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import { Codes } from './totp-panel.js';
import { browserOf } from './people-words.js';

type UserSession = Schemas['UserSessionResponse'];

/** Name, password and sessions of the person who is signed in. */
export function AccountPage(): VNode {
  const { person } = useSession();
  if (person === undefined) {
    return (
      <Page title="Your account">
        <Empty title="You are signed in with an API key">
          <p>An API key has no account. Invite yourself under People, then sign in by email.</p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title="Your account">
      <Profile />
      {person.known.hasPassword && <Codes />}
      <Sessions />
    </Page>
  );
}

function Profile(): VNode {
  const { person } = useSession();
  const [open, setOpen] = useState<'name' | 'password'>();
  const close = (): void => setOpen(undefined);
  return (
    <section class="panel">
      <h2>{person?.known.name}</h2>
      <p class="note">
        {person?.known.email}
        {person?.known.hasSingleSignOn === true && ', by single sign-on'}
      </p>
      <ul class="plain">
        {person?.known.environments.map(({ _id, name, role }) => (
          <li key={_id}>
            {name}: {role}
          </li>
        ))}
      </ul>
      <p class="button-line">
        <button type="button" onClick={() => setOpen('name')}>
          Change your name…
        </button>
        {person?.known.hasPassword === true && (
          <button type="button" onClick={() => setOpen('password')}>
            Change your password…
          </button>
        )}
      </p>
      {open === 'name' && <NameDialog onClose={close} />}
      {open === 'password' && <PasswordDialog onClose={close} />}
    </section>
  );
}

function NameDialog({ onClose }: { onClose: () => void }): VNode {
  const api = useApi();
  const { person } = useSession();
  const save = async (form: FormData): Promise<void> => {
    await bodyOf(api.PATCH('/v1/users/me', { body: { name: textIn(form, 'name') } }));
    person?.reload();
  };
  return (
    <Confirm title="Your name" action="Save" onClose={onClose} onConfirm={save}>
      <Field label="Name">
        {(id) => <input id={id} name="name" required maxLength={255} defaultValue={person?.known.name ?? ''} />}
      </Field>
    </Confirm>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const save = async (form: FormData): Promise<void> => {
    const body = { currentPassword: secretIn(form, 'current'), newPassword: secretIn(form, 'new') };
    await bodyOf(api.PUT('/v1/users/me/password', { body }));
    toast('Your password was changed, and your other sessions have ended.');
  };
  return (
    <Confirm title="Your password" action="Change" onClose={onClose} onConfirm={save}>
      <Field label="Current password">
        {(id) => <input id={id} name="current" type="password" required autocomplete="current-password" />}
      </Field>
      <Field label="New password" note="At least 12 characters, such as four words that do not belong together.">
        {(id, describedBy) => (
          <input
            id={id}
            name="new"
            type="password"
            required
            autocomplete="new-password"
            aria-describedby={describedBy}
          />
        )}
      </Field>
    </Confirm>
  );
}

function Sessions(): VNode {
  const api = useApi();
  const toast = useToast();
  const query = useQuery('my-sessions', (signal) => dataOf(api.GET('/v1/users/me/sessions', { signal })));
  const end = async (sessionId: string): Promise<void> => {
    await bodyOf(api.DELETE('/v1/users/me/sessions/{sessionId}', { params: { path: { sessionId } } }));
    toast('The session has ended.');
    query.reload();
  };
  const endOthers = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/users/me/sessions'));
    toast('Your other sessions have ended.');
    query.reload();
  };
  return (
    <section>
      <h2>Sessions</h2>
      <Loaded query={query}>
        {(sessions) => (
          <>
            <Table
              caption="Your sessions"
              columns={columnsOf((id) => void end(id))}
              rows={sessions}
              keyOf={({ _id }) => _id}
            />
            {sessions.length > 1 && (
              <p>
                <button type="button" class="danger" onClick={() => void endOthers()}>
                  End all other sessions
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function columnsOf(onEnd: (id: string) => void): readonly Column<UserSession>[] {
  return [
    {
      label: 'Browser',
      kind: 'main',
      cell: ({ userAgent, current, ip }) => (
        <span class="two-lines">
          <span title={userAgent}>
            {browserOf(userAgent)} {current && <span class="badge">this one</span>}
          </span>
          <span class="soft">{ip}</span>
        </span>
      ),
    },
    { label: 'Signed in', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { label: 'Last used', kind: 'narrow', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    { label: 'Ends', kind: 'wide', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
    {
      label: '',
      kind: 'narrow',
      cell: ({ _id, current }) =>
        current ? (
          ''
        ) : (
          <button type="button" class="danger small" onClick={() => onEnd(_id)}>
            End<span class="unseen"> this session</span>
          </button>
        ),
    },
  ];
}
