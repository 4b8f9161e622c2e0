import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { bodyOf } from '../api/client.js';
import { newIdempotencyKey } from '../api/new-key.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { useToast } from '../ui/toasts.js';
import { type AddressChannel, isUncertain } from './explain.js';
import { type Notification, typeLabel } from './words.js';

interface Props {
  readonly notification: Notification;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ReplayDialog({ notification, onClose, onDone }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const key = useRef(newIdempotencyKey()).current;
  const failed = notification.jobs.filter(({ status }) => status === 'failed').map(({ type }) => typeLabel(type));
  const uncertain = isUncertain(notification);
  const replay = async (form: FormData): Promise<void> => {
    const path = { notificationId: notification._id };
    const body = { includeUncertain: form.get('uncertain') !== null };
    const params = { path, header: { 'Idempotency-Key': key } };
    await bodyOf(api.POST('/v1/notifications/{notificationId}/replay', { params, body }));
    toast('The failed steps are being rerun.');
    onDone();
  };
  return (
    <Confirm title="Replay this notification" action="Replay" onClose={onClose} onConfirm={replay}>
      <p>
        Herald reruns the failed {failed.length === 1 ? 'step' : 'steps'} ({failed.join(', ')}), then the steps that
        were canceled because of {failed.length === 1 ? 'it' : 'them'}. Sent messages are not sent again.
      </p>
      <p class="note">The replay uses the current subscriber, workflow and integrations.</p>
      {uncertain && (
        <label class="check notice warn">
          <span>
            <input type="checkbox" name="uncertain" required /> Send the message again, even though the provider may
            already have accepted it and the recipient may get it twice.
          </span>
        </label>
      )}
    </Confirm>
  );
}

export function CancelDialog({ notification, onClose, onDone }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const cancel = async (): Promise<void> => {
    const params = { path: { notificationId: notification._id } };
    await bodyOf(api.POST('/v1/notifications/{notificationId}/cancel', { params }));
    toast('The notification was canceled.');
    onDone();
  };
  return (
    <Confirm
      title="Cancel this notification"
      action="Cancel notification"
      isDangerous
      onClose={onClose}
      onConfirm={cancel}
    >
      <p>Steps that have not started will be skipped. Sent messages are not recalled. This cannot be undone.</p>
    </Confirm>
  );
}

interface AddressProps {
  readonly subscriberId: string;
  readonly channel: AddressChannel;
  readonly address: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AddressDialog({ subscriberId, channel, address, onClose, onDone }: AddressProps): VNode {
  const api = useApi();
  const toast = useToast();
  const clear = async (): Promise<void> => {
    const params = { path: { subscriberId, channel } };
    await bodyOf(api.DELETE('/v1/subscribers/{subscriberId}/address-states/{channel}', { params }));
    toast(`Herald will send to ${address} again.`);
    onDone();
  };
  return (
    <Confirm title="Mark the address as valid" action="Mark as valid" onClose={onClose} onConfirm={clear}>
      <p>
        Herald will send to <strong>{address}</strong> again. If a message bounces, the address is marked as invalid
        again. Nothing is sent now: replay the notification afterwards.
      </p>
    </Confirm>
  );
}
