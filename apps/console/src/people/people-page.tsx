import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi, useSession } from '../session.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import {
  InviteDialog,
  type Member,
  RecoverDialog,
  RemoveDialog,
  RoleDialog,
  WithdrawDialog,
} from './people-dialogs.js';

type Invitation = Schemas['InvitationResponse'];
type Open =
  | { readonly kind: 'invite' }
  | { readonly kind: 'role' | 'recover' | 'remove'; readonly member: Member }
  | { readonly kind: 'withdraw'; readonly invitation: Invitation };

/** Who may sign in to the environment, and who is invited. */
export function PeoplePage(): VNode {
  const api = useApi();
  const { environment } = useSession();
  const [open, setOpen] = useState<Open>();
  const query = useQuery('people', async (signal) => {
    const [members, invitations] = await Promise.all([
      dataOf(api.GET('/v1/users', { signal })),
      dataOf(api.GET('/v1/users/invitations', { signal })),
    ]);
    return { members, invitations };
  });
  const close = (): void => setOpen(undefined);
  const shared = { onClose: close, onDone: query.reload };
  return (
    <Page
      title="People"
      actions={
        query.data && (
          <ActionButton needs="inviteUser" class="primary" onClick={() => setOpen({ kind: 'invite' })}>
            Invite…
          </ActionButton>
        )
      }
    >
      <Loaded query={query}>
        {({ members, invitations }) => (
          <>
            <p class="note intro">
              People who can sign in to the {environment.name} environment, and what they may do in it.
            </p>
            {members.length === 0 ? (
              <Empty title="Nobody can sign in by email yet">
                <p>Invite yourself as owner: then you need no API key here any more.</p>
              </Empty>
            ) : (
              <Table caption="People" columns={memberColumns(setOpen)} rows={members} keyOf={({ _id }) => _id} />
            )}
            {invitations.length > 0 && (
              <>
                <h2>Open invitations</h2>
                <Table
                  caption="Open invitations"
                  columns={invitationColumns(setOpen)}
                  rows={invitations}
                  keyOf={({ _id }) => _id}
                />
              </>
            )}
          </>
        )}
      </Loaded>
      {open?.kind === 'invite' && <InviteDialog {...shared} />}
      {open?.kind === 'role' && <RoleDialog member={open.member} {...shared} />}
      {open?.kind === 'recover' && <RecoverDialog member={open.member} {...shared} />}
      {open?.kind === 'remove' && <RemoveDialog member={open.member} {...shared} />}
      {open?.kind === 'withdraw' && <WithdrawDialog invitation={open.invitation} {...shared} />}
    </Page>
  );
}

function memberColumns(onOpen: (open: Open) => void): readonly Column<Member>[] {
  return [
    {
      label: 'Name',
      kind: 'main',
      cell: ({ name, email, isYou }) => (
        <span class="two-lines">
          <span>
            {name} {isYou && <span class="badge">you</span>}
          </span>
          <span class="soft">{email}</span>
        </span>
      ),
    },
    { label: 'Role', kind: 'narrow', cell: ({ role }) => role },
    {
      label: 'Last sign-in',
      kind: 'narrow',
      cell: ({ lastSignInAt }) => (lastSignInAt ? <Ago at={lastSignInAt} /> : <span class="soft">never</span>),
    },
    {
      label: '',
      kind: 'wide',
      cell: (member) =>
        member.isYou ? (
          ''
        ) : (
          <span class="button-line">
            <ActionButton needs="changeUserRole" class="small" onClick={() => onOpen({ kind: 'role', member })}>
              Role…<span class="unseen"> of {member.name}</span>
            </ActionButton>
            <ActionButton needs="recoverUser" class="small" onClick={() => onOpen({ kind: 'recover', member })}>
              Sign-in…<span class="unseen"> of {member.name}</span>
            </ActionButton>
            <ActionButton needs="removeUser" class="danger small" onClick={() => onOpen({ kind: 'remove', member })}>
              Remove…<span class="unseen"> {member.name}</span>
            </ActionButton>
          </span>
        ),
    },
  ];
}

function invitationColumns(onOpen: (open: Open) => void): readonly Column<Invitation>[] {
  return [
    { label: 'Email', kind: 'main', cell: ({ email }) => email ?? 'whoever opens the link of the first start' },
    { label: 'Role', kind: 'narrow', cell: ({ role }) => role },
    { label: 'Invited by', kind: 'wide', cell: ({ invitedBy }) => invitedBy },
    { label: 'Expires', kind: 'narrow', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
    {
      label: '',
      kind: 'narrow',
      cell: (invitation) => (
        <ActionButton
          needs="withdrawInvitation"
          class="danger small"
          onClick={() => onOpen({ kind: 'withdraw', invitation })}
        >
          Withdraw…<span class="unseen"> {invitation.email}</span>
        </ActionButton>
      ),
    },
  ];
}
