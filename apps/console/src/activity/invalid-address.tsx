import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Moment } from '../ui/time.js';
import { AddressDialog } from './actions.js';
import type { AddressChannel } from './explain.js';

interface Props {
  readonly subscriberId: string;
  readonly channel: AddressChannel;
  readonly onChange: () => void;
}

/** The address of a subscriber if a provider reported it as invalid, and the way to use it again. */
export function InvalidAddress({ subscriberId, channel, onChange }: Props): VNode | null {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const { data, reload } = useQuery(`address ${subscriberId} ${channel}`, (signal) =>
    dataOf(api.GET('/v1/subscribers/{subscriberId}', { params: { path: { subscriberId } }, signal })),
  );
  const state = data?.addressStates?.[channel];
  const address = data?.[channel === 'email' ? 'email' : 'phone'];
  if (!address) return null;
  if (state === undefined) {
    return (
      <p class="notice good">The subscriber now has a valid address. Replay the notification to send the message.</p>
    );
  }
  return (
    <>
      <p>
        <strong>{address}</strong> has been marked as invalid since <Moment at={state.since} />: {state.reason}
      </p>
      <ActionButton needs="clearSubscriberAddressState" onClick={() => setOpen(true)}>
        Mark as valid…
      </ActionButton>
      {isOpen && (
        <AddressDialog
          subscriberId={subscriberId}
          channel={channel}
          address={address}
          onClose={() => setOpen(false)}
          onDone={() => {
            reload();
            onChange();
          }}
        />
      )}
    </>
  );
}
