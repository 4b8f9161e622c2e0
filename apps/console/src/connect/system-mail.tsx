import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { useApi, useSession } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { useToast } from '../ui/toasts.js';
import type { Integration } from './integration-form.js';

interface Props {
  readonly integration: Integration;
  readonly onChanged: () => void;
}

/** Whether Herald sends invitations and links for new passwords through it, which owners decide. */
export function SystemMail({ integration, onChanged }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const { environment } = useSession();
  const [isAsking, setAsking] = useState(false);
  const { _id: integrationId, name, sendsSystemMail: isOn = false } = integration;
  const change = async (): Promise<void> => {
    const params = { path: { integrationId } };
    await dataOf(api.PUT('/v1/integrations/{integrationId}/system-mail', { params, body: { isOn: !isOn } }));
    toast(isOn ? `Herald’s own mails no longer go through ${name}.` : `Herald’s own mails go through ${name}.`);
    setAsking(false);
    onChanged();
  };
  return (
    <>
      {isOn && <p class="notice">Herald sends its own mails through it. Only owners can change or delete it.</p>}
      <p class="button-line">
        <ActionButton needs="setSystemMail" onClick={() => setAsking(true)}>
          {isOn ? 'Stop using it for Herald’s own mails…' : 'Use for Herald’s own mails…'}
        </ActionButton>
      </p>
      {isAsking && (
        <Confirm
          title="Herald’s own mails"
          action={isOn ? 'Stop' : 'Use it'}
          onClose={() => setAsking(false)}
          onConfirm={change}
        >
          <p>
            {isOn
              ? `Invitations and links for new passwords no longer go through “${name}”, and editors can change it again.`
              : `Invitations and links for new passwords that concern ${environment.name} alone go through “${name}”. Whoever runs its mail server can read them, so check the credentials first. From then on, only owners can change or delete it.`}
          </p>
        </Confirm>
      )}
    </>
  );
}
