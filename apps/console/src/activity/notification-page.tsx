import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Raw } from '../ui/raw.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { Ago, Moment } from '../ui/time.js';
import { CancelDialog, ReplayDialog } from './actions.js';
import { isReplayable } from './explain.js';
import { activityReturn } from './return-address.js';
import { StepPanel } from './step-panel.js';
import { type Notification, notificationWord } from './words.js';

const POLL_ACTIVE_MS = 1_500;
const POLL_ENDED_MS = 10_000;
const MESSAGES = 100;

type Open = 'replay' | 'cancel' | undefined;

/** Everything that happened to one notification, and what can be done about it. */
export function NotificationPage(): VNode {
  const api = useApi();
  const { notificationId = '' } = useParams<{ notificationId: string }>();
  const [open, setOpen] = useState<Open>();
  const [isActive, setActive] = useState(true);
  const query = useQuery(
    notificationId,
    async (signal) => {
      const found = await dataOf(
        api.GET('/v1/notifications/{notificationId}', { params: { path: { notificationId } }, signal }),
      );
      setActive(found.status === 'active');
      return found;
    },
    isActive ? POLL_ACTIVE_MS : POLL_ENDED_MS,
  );
  const notification = query.data;
  const close = (): void => setOpen(undefined);
  const after = (): void => {
    setActive(true);
    query.reload();
  };
  return (
    <Page
      title={notification?.template?.name ?? (notification ? 'Deleted workflow' : 'Notification')}
      above={<Link href={activityReturn()}>← Activity</Link>}
      actions={
        notification && (
          <>
            {isReplayable(notification) && (
              <ActionButton needs="replayNotification" class="primary" onClick={() => setOpen('replay')}>
                Replay…
              </ActionButton>
            )}
            {notification.status === 'active' && (
              <ActionButton needs="cancelNotification" class="danger" onClick={() => setOpen('cancel')}>
                Cancel…
              </ActionButton>
            )}
          </>
        )
      }
    >
      <Loaded query={query}>{(found) => <Content notification={found} onChange={after} />}</Loaded>
      {notification && open === 'replay' && <ReplayDialog notification={notification} onClose={close} onDone={after} />}
      {notification && open === 'cancel' && <CancelDialog notification={notification} onClose={close} onDone={after} />}
    </Page>
  );
}

function Content({ notification, onChange }: { notification: Notification; onChange: () => void }): VNode {
  const messages = useMessages(notification);
  return (
    <>
      <Facts notification={notification} />
      <ol class="step-list">
        {notification.jobs.map((job, at) => (
          <StepPanel
            key={job._id}
            number={at + 1}
            job={job}
            subscriberId={notification.subscriber?.subscriberId}
            messages={messages.filter(({ _jobId }) => _jobId === job._id)}
            onChange={onChange}
          />
        ))}
      </ol>
      {notification.payload && (
        <details class="panel">
          <summary>Event payload</summary>
          <Raw value={notification.payload} label="Payload" />
        </details>
      )}
    </>
  );
}

function Facts({ notification }: { notification: Notification }): VNode {
  const { subscriber, transactionId, createdAt, _id, isTest, tags } = notification;
  const name = [subscriber?.firstName, subscriber?.lastName].filter(Boolean).join(' ');
  const id = subscriber?.subscriberId ?? '';
  return (
    <dl class="facts panel">
      <div aria-live="polite">
        <dt>Status</dt>
        <dd>
          <Status {...notificationWord(notification)} />
          {isTest && <span class="soft"> test</span>}
        </dd>
      </div>
      <div>
        <dt>Subscriber</dt>
        <dd>
          <Link href={`/activity?${new URLSearchParams({ subscriber: id }).toString()}`}>{id}</Link> {name}
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>{[subscriber?.email, subscriber?.phone].filter(Boolean).join(', ') || 'None'}</dd>
      </div>
      <div>
        <dt>Transaction</dt>
        <dd>
          <Link href={`/activity?${new URLSearchParams({ transaction: transactionId }).toString()}`}>
            {transactionId}
          </Link>
        </dd>
      </div>
      <div>
        <dt>Triggered</dt>
        <dd>
          <Moment at={createdAt} />{' '}
          <span class="soft">
            (<Ago at={createdAt} />)
          </span>
        </dd>
      </div>
      <div>
        <dt>Notification id</dt>
        <dd>
          <code>{_id}</code>
        </dd>
      </div>
      {tags !== undefined && tags.length > 0 && (
        <div>
          <dt>Tags</dt>
          <dd>{tags.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}

/** The messages of the notification, again whenever one of its steps changes. */
function useMessages(notification: Notification): readonly Schemas['ListedMessageResponse'][] {
  const api = useApi();
  const { _id, transactionId, subscriber, jobs, isTest } = notification;
  const state = jobs.map(({ status, attempt, replays, history }) => [status, attempt, replays, history?.messageIds]);
  const { data } = useQuery(`${_id} ${JSON.stringify(state)}`, (signal) => {
    // The subscriber of a test need not be stored, and is the only one of its transaction.
    const subscriberId = isTest === true ? undefined : subscriber?.subscriberId;
    const query = {
      transactionId: [transactionId],
      ...(subscriberId !== undefined && { subscriberId }),
      limit: MESSAGES,
    };
    return bodyOf(api.GET('/v1/messages', { params: { query }, signal }));
  });
  return data?.data ?? [];
}
