import type { ComponentChildren, VNode } from 'preact';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi, useSession } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field, SelectField, TextField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { SecretDialog } from '../ui/secret-dialog.js';
import { useToast } from '../ui/toasts.js';
import { ROLE_CHOICES, roleOf } from './people-words.js';

export type Member = Schemas['UserResponse'];

interface Props {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface MemberProps extends Props {
  readonly member: Member;
}

const LINK_NOTE = 'Unless it was sent by email, send it to the person yourself, by a way that only they read.';

/** Herald never takes just any integration for it: whoever can change that one could read the link. */
function HowItGoes({ children }: { children: ComponentChildren }): VNode {
  return (
    <p class="note">
      The link is shown here once. Herald also sends it by email if the operator has set a mail server
      (SYSTEM_MAIL_URL), or through an email integration that an owner has marked for Herald’s own mails, {children}.
    </p>
  );
}

type Sent = Pick<Schemas['LinkResponse'], 'mail' | 'mailError'>;

function useMailToast(): (sent: Sent, email: string) => void {
  const toast = useToast();
  return ({ mail, mailError }, email) => {
    if (mail === 'sent') toast(`The link was sent to ${email}.`);
    else if (mail === 'failed') toast(`The link could not be sent by email: ${mailError ?? ''}`, 'bad');
    else toast('The link was not sent by email. Send it yourself.');
  };
}

export function InviteDialog({ onClose, onDone }: Props): VNode {
  const api = useApi();
  const tell = useMailToast();
  const { environment, person } = useSession();
  const owned = person?.known.environments.filter(({ role }) => role === 'owner') ?? [];
  const invite = async (form: FormData): Promise<string> => {
    const environmentIds = form.getAll('environments').map(String);
    const body = {
      email: textIn(form, 'email').trim(),
      role: roleOf(textIn(form, 'role')),
      ...(environmentIds.length > 0 && { environmentIds }),
    };
    const made = await dataOf(api.POST('/v1/users/invitations', { body }));
    tell(made, body.email);
    onDone();
    return made.url;
  };
  return (
    <SecretDialog
      title="Invite a person"
      action="Invite"
      secretName="invitation link"
      note={`${LINK_NOTE} It works once, within a week.`}
      onClose={onClose}
      onSubmit={invite}
    >
      <TextField label="Email" name="email" type="email" value="" />
      <SelectField label="Role" name="role" value="editor" choices={ROLE_CHOICES} />
      {owned.length > 1 && (
        <fieldset class="scopes">
          <legend>Environments</legend>
          {owned.map(({ _id, name }) => (
            <label key={_id} class="check">
              <input type="checkbox" name="environments" value={_id} defaultChecked={_id === environment._id} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      <HowItGoes>where the invitation is for its environment alone</HowItGoes>
    </SecretDialog>
  );
}

export function RoleDialog({ member, onClose, onDone }: MemberProps): VNode {
  const api = useApi();
  const toast = useToast();
  const { environment } = useSession();
  const change = async (form: FormData): Promise<void> => {
    const role = roleOf(textIn(form, 'role'));
    const params = { path: { userId: member._id } };
    await bodyOf(api.PATCH('/v1/users/{userId}', { params, body: { role } }));
    toast(`${member.name} is ${role} now.`);
    onDone();
  };
  return (
    <Confirm title={`Role of ${member.name}`} action="Save" onClose={onClose} onConfirm={change}>
      <SelectField label={`Role in ${environment.name}`} name="role" value={member.role} choices={ROLE_CHOICES} />
    </Confirm>
  );
}

/** Sessions of somebody, and a link for a new password. */
export function RecoverDialog({ member, onClose, onDone }: MemberProps): VNode {
  const api = useApi();
  const tell = useMailToast();
  const params = { path: { userId: member._id } };
  const sessions = useQuery('sessions', (signal) => dataOf(api.GET('/v1/users/{userId}/sessions', { params, signal })));
  const make = async (form: FormData): Promise<string> => {
    if (form.has('codes')) await bodyOf(api.DELETE('/v1/users/{userId}/totp', { params }));
    if (form.has('end')) await bodyOf(api.DELETE('/v1/users/{userId}/sessions', { params }));
    const made = await dataOf(api.POST('/v1/users/{userId}/recovery', { params }));
    tell(made, member.email);
    onDone();
    return made.url;
  };
  return (
    <SecretDialog
      title={`Sign-in of ${member.name}`}
      action="Make a link"
      secretName="link for a new password"
      note={`${LINK_NOTE} It works once, within a day, and ends all sessions of ${member.name}.`}
      onClose={onClose}
      onSubmit={make}
    >
      <p>
        {member.name} has {openSessions(sessions.data?.length)}. With a link, {member.name} can choose a new password.
      </p>
      <Field label="Open sessions">
        {(id) => (
          <label class="check" for={id}>
            <input id={id} type="checkbox" name="end" />
            <span>End all of them now</span>
          </label>
        )}
      </Field>
      {member.hasTotp && (
        <label class="check">
          <input type="checkbox" name="codes" />
          <span>Switch codes off: the authenticator app is lost</span>
        </label>
      )}
      <HowItGoes>where {member.name} has a role in its environment alone</HowItGoes>
    </SecretDialog>
  );
}

function openSessions(count: number | undefined): string {
  return count === 1 ? '1 open session' : `${count ?? '…'} open sessions`;
}

export function RemoveDialog({ member, onClose, onDone }: MemberProps): VNode {
  const api = useApi();
  const toast = useToast();
  const { environment } = useSession();
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/users/{userId}', { params: { path: { userId: member._id } } }));
    toast(`${member.name} no longer has access.`);
    onDone();
  };
  return (
    <Confirm title={`Remove ${member.name}`} action="Remove" isDangerous onClose={onClose} onConfirm={remove}>
      <p>
        {member.name} loses access to {environment.name} immediately, and open invitations by {member.name} end. API
        keys that {member.name} issued keep working; revoke them under API keys.
      </p>
    </Confirm>
  );
}

export function WithdrawDialog({
  invitation,
  onClose,
  onDone,
}: Props & { invitation: Schemas['InvitationResponse'] }): VNode {
  const api = useApi();
  const withdraw = async (): Promise<void> => {
    const params = { path: { invitationId: invitation._id } };
    await bodyOf(api.DELETE('/v1/users/invitations/{invitationId}', { params }));
    onDone();
  };
  return (
    <Confirm title="Withdraw the invitation" action="Withdraw" isDangerous onClose={onClose} onConfirm={withdraw}>
      <p>The link no longer works then. You can invite {invitation.email ?? 'somebody'} again.</p>
    </Confirm>
  );
}
