import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { HistoryLink } from '../ui/history-link.js';
import { AddressDialog } from '../activity/actions.js';
import { providerLabel } from '../activity/words.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { idInAddress } from '../ui/id-in-address.js';
import { Page } from '../ui/page.js';
import { Raw } from '../ui/raw.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { Ago, Moment } from '../ui/time.js';
import { FeedPanel } from './feed-panel.js';
import { Preferences } from './preferences.js';
import { SubscriberActions } from './subscriber-actions.js';
import { SUBSCRIBER_FIELDS } from './subscriber-fields.js';
import { type AddressChannel, channelWords, fullName, type Subscriber } from './subscriber-words.js';
import { WhyPanel } from './why-panel.js';

/** A person: who they are, where they are reached, what they want, and what they see. */
export function SubscriberPage(): VNode {
  const api = useApi();
  const subscriberId = idInAddress('/subscribers/');
  const query = useQuery(`subscriber ${subscriberId}`, (signal) =>
    dataOf(api.GET('/v1/subscribers/{subscriberId}', { params: { path: { subscriberId } }, signal })),
  );
  const name = query.data ? fullName(query.data) : '';
  return (
    <Page
      title={name === '' ? subscriberId : `${name} (${subscriberId})`}
      above={<Link href="/subscribers">← Subscribers</Link>}
      actions={
        <>
          <Link href={`/activity?${new URLSearchParams({ subscriber: subscriberId })}`}>View activity</Link>
          <HistoryLink type="subscriber" id={subscriberId} />
          {query.data && <SubscriberActions subscriber={query.data} onChanged={query.reload} />}
        </>
      }
    >
      <Loaded query={query}>
        {(subscriber) => (
          <>
            <Profile subscriber={subscriber} />
            <Addresses subscriber={subscriber} onChange={query.reload} />
            <WhyPanel subscriberId={subscriberId} />
            <Preferences subscriberId={subscriberId} />
            <FeedPanel subscriberId={subscriberId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What is neither in the name nor among the addresses. */
const isFact = ({ name, kind }: (typeof SUBSCRIBER_FIELDS)[number]): boolean =>
  !['firstName', 'lastName'].includes(name) && !['email', 'phone', 'url'].includes(kind);

function Profile({ subscriber }: { subscriber: Subscriber }): VNode {
  const { subscriberId, isOnline, lastOnlineAt, data, createdAt } = subscriber;
  const facts: [string, string | undefined][] = [
    ['Id', subscriberId],
    ['Name', fullName(subscriber)],
    ...SUBSCRIBER_FIELDS.filter(isFact).map(({ name, label }): [string, string | undefined] => [
      label,
      subscriber[name],
    ]),
  ];
  return (
    <section class="panel">
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        {isOnline !== undefined && (
          <div>
            <dt>Presence</dt>
            <dd>
              {isOnline ? (
                'Online'
              ) : lastOnlineAt ? (
                <>
                  Last seen <Ago at={lastOnlineAt} />
                </>
              ) : (
                'Offline'
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>Created</dt>
          <dd>
            <Ago at={createdAt} />
          </dd>
        </div>
      </dl>
      {data && Object.keys(data).length > 0 && (
        <details class="below">
          <summary>Data</summary>
          <Raw value={data} label="Subscriber data" />
        </details>
      )}
    </section>
  );
}

const ADDRESSES: readonly { readonly channel: AddressChannel; readonly label: string }[] = [
  { channel: 'email', label: 'Email' },
  { channel: 'sms', label: 'Phone' },
];

function Addresses({ subscriber, onChange }: { subscriber: Subscriber; onChange: () => void }): VNode {
  const [clearing, setClearing] = useState<AddressChannel>();
  const addressOf = (channel: AddressChannel): string | undefined =>
    channel === 'email' ? subscriber.email : subscriber.phone;
  return (
    <section class="panel" aria-labelledby="addresses">
      <h2 id="addresses">Addresses</h2>
      <ul class="addresses">
        {ADDRESSES.map(({ channel, label }) => {
          const address = addressOf(channel);
          const state = subscriber.addressStates?.[channel];
          return (
            <li key={channel}>
              <span class="soft address-label">{label}</span>
              <div>
                <p>
                  {address ? (
                    <strong>{address}</strong>
                  ) : (
                    <span class="soft">none; messages of this channel are skipped</span>
                  )}
                </p>
                {state && (
                  <div class="notice bad below">
                    <p>
                      <Status tone="bad" label="Undeliverable" /> since <Moment at={state.since} />
                    </p>
                    <p class="words">{state.reason}</p>
                    <p>Herald does not send to this address. Correct it, or mark it as valid if it works again.</p>
                    <ActionButton needs="clearSubscriberAddressState" onClick={() => setClearing(channel)}>
                      Mark as valid…
                    </ActionButton>
                  </div>
                )}
              </div>
            </li>
          );
        })}
        {subscriber.channels.map((channel) => (
          <li key={`${channel.providerId} ${channel._integrationId}`}>
            <span class="soft address-label">{providerLabel(channel.providerId)}</span>
            <div>
              {channelWords(channel)} <code class="soft">{channel.integrationIdentifier}</code>
            </div>
          </li>
        ))}
      </ul>
      {clearing && (
        <AddressDialog
          subscriberId={subscriber.subscriberId}
          channel={clearing}
          address={addressOf(clearing) ?? ''}
          onClose={() => setClearing(undefined)}
          onDone={onChange}
        />
      )}
    </section>
  );
}
