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
    toast(active ? 'The webhook is disabled.' : 'The webhook is enabled.');
    onDone();
  };
  if (!active) {
    return (
      <Confirm title="Enable this webhook" action="Enable" onClose={onClose} onConfirm={change}>
        <p>New events will be posted to {hostOf(url)}. Earlier events are not resent automatically.</p>
      </Confirm>
    );
  }
  return (
    <Confirm title="Disable this webhook" action="Disable" isDangerous onClose={onClose} onConfirm={change}>
      <p>
        Nothing more will be posted to {hostOf(url)}. Pending deliveries fail, and new events are not recorded for this
        webhook.
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
      note="Configure your receiver with it within 24 hours. Until then, events are also signed with the previous secret."
      onClose={onClose}
      onSubmit={rotate}
    >
      <p>
        Your receiver at {hostOf(webhook.url)} must know the new secret within 24 hours. After that, events are signed
        with the new secret only. If you rotate again within this time, the oldest secret expires immediately.
      </p>
    </SecretDialog>
  );
}
