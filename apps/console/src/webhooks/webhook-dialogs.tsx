import type { VNode } from 'preact';
import { dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { SecretDialog } from '../ui/secret-dialog.js';
import { useToast } from '../ui/toasts.js';
import { hostOf, type Webhook } from './webhook-words.js';

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function SwitchDialog({ webhook, onClose, onDone }: Props & { onDone: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const { active, url } = webhook;
  const change = async (): Promise<void> => {
    const params = { path: { webhookId: webhook._id } };
    await dataOf(api.PATCH('/v1/webhooks/{webhookId}', { params, body: { active: !active } }));
    toast(active ? 'The webhook is off.' : 'The webhook is on.');
    onDone();
  };
  if (!active) {
    return (
      <Confirm title="Switch this webhook on" action="Switch on" onClose={onClose} onConfirm={change}>
        <p>Events from now on are posted to {hostOf(url)}. Earlier ones are not sent again by themselves.</p>
      </Confirm>
    );
  }
  return (
    <Confirm title="Switch this webhook off" action="Switch off" isDangerous onClose={onClose} onConfirm={change}>
      <p>
        Nothing is posted to {hostOf(url)} any more. Deliveries that are due or tried again fail; events from now on are
        not kept for it.
      </p>
    </Confirm>
  );
}

/** Replaces the signing secret and shows the new one, once. */
export function RotateSecretDialog({ webhook, onClose }: Props): VNode {
  const api = useApi();
  const rotate = async (): Promise<string> => {
    const params = { path: { webhookId: webhook._id } };
    return (await dataOf(api.POST('/v1/webhooks/{webhookId}/secret/rotate', { params }))).secret;
  };
  return (
    <SecretDialog
      title="Rotate the signing secret"
      action="Rotate"
      isDangerous
      secretName="signing secret"
      note="Put it into your receiver within 24 hours. Until then, events are signed with the former secret as well."
      onClose={onClose}
      onSubmit={rotate}
    >
      <p>
        Your receiver at {hostOf(webhook.url)} has to know the new secret within 24 hours. After that, it will refuse
        events that it checks with the former one. A second rotation within this time ends the oldest secret at once.
      </p>
    </SecretDialog>
  );
}
