import type { VNode } from 'preact';
import { dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { RequiredField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { useToast } from '../ui/toasts.js';
import type { Suppression } from './suppression-words.js';

interface Props {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const MAX_REASON = 500;

export function AddDialog({ onClose, onDone }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const add = async (form: FormData): Promise<void> => {
    const address = textIn(form, 'address');
    const channel = address.includes('@') ? 'email' : 'sms';
    const body = { channel, address, reason: textIn(form, 'reason') } as const;
    const made = await dataOf(api.POST('/v1/suppressions', { body }));
    const owners = made.flatMap(({ subscriberId }) => subscriberId ?? []);
    toast(
      owners.length === 0
        ? 'No subscriber has the address; nothing is sent to it if one gets it.'
        : `Nothing is sent to the address any more (${owners.slice(0, 3).join(', ')}${owners.length > 3 ? ', …' : ''}).`,
    );
    onDone();
  };
  return (
    <Confirm title="Suppress an address" action="Suppress" onClose={onClose} onConfirm={add}>
      <RequiredField
        label="Address"
        name="address"
        note="An email address, or a phone number such as +491511234567."
        isCode
        maxLength={320}
      />
      <RequiredField label="Reason" name="reason" note="Why nothing may be sent to it." maxLength={MAX_REASON} />
    </Confirm>
  );
}

export function LiftDialog({
  suppression,
  name,
  onClose,
  onDone,
}: Props & { readonly suppression: Suppression; readonly name: string }): VNode {
  const api = useApi();
  const toast = useToast();
  const lift = async (form: FormData): Promise<void> => {
    const params = { path: { suppressionId: suppression.id } };
    await dataOf(
      api.POST('/v1/suppressions/{suppressionId}/lift', { params, body: { reason: textIn(form, 'reason') } }),
    );
    toast(`Messages are sent to ${name} again.`);
    onDone();
  };
  return (
    <Confirm title={`Send to ${name} again?`} action="Lift" onClose={onClose} onConfirm={lift}>
      <p>
        {suppression.kind === 'unsubscribe'
          ? 'The channel is switched on again. Do this only if the recipient asked for it.'
          : 'The address is used again. If it still fails, the provider reports it again.'}
      </p>
      <RequiredField label="Reason" name="reason" note="Webhooks and the log get it." maxLength={MAX_REASON} />
    </Confirm>
  );
}
