import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { SelectField } from '../ui/fields.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Raw } from '../ui/raw.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago, Moment } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import { ReplayFailedDialog } from './replay-failed.js';
import { answerWords, type Delivery, deliveryWord, isReplayable, type Webhook } from './webhook-words.js';
import { shortEvent } from './webhooks-page.js';

const ROWS = 25;
const POLL_MS = 3_000;
const STATUSES: readonly Delivery['status'][] = ['failed', 'pending', 'delivered'];

/** What was posted to a webhook, newest first, and how it answered. */
export function Deliveries({ webhook }: { webhook: Webhook }): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const [isReplaying, setReplaying] = useState(false);
  const page = pageOf(parameters);
  const status = STATUSES.find((one) => one === parameters.get('status'));
  const query = useQuery(
    `deliveries ${webhook._id} ${page} ${status}`,
    (signal) => {
      const asked = { page, limit: ROWS, ...(status && { status }) };
      const params = { path: { webhookId: webhook._id }, query: asked };
      return bodyOf(api.GET('/v1/webhooks/{webhookId}/deliveries', { params, signal }));
    },
    POLL_MS,
  );
  return (
    <section aria-labelledby="deliveries">
      <div class="section-head">
        <h2 id="deliveries">Deliveries</h2>
        <SelectField
          label="Status"
          value={status ?? ''}
          choices={[
            { value: '', label: 'All' },
            { value: 'failed', label: 'Failed' },
            { value: 'pending', label: 'Pending' },
            { value: 'delivered', label: 'Delivered' },
          ]}
          onChange={(value) => setParameters(value === '' ? {} : { status: value })}
        />
        {webhook.active && (
          <ActionButton needs="replayWebhookDelivery" onClick={() => setReplaying(true)}>
            Resend failed…
          </ActionButton>
        )}
      </div>
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <NoDeliveries isFiltered={status !== undefined} />
            ) : (
              <Table
                caption="Deliveries, newest first"
                columns={columnsOf(webhook, query.reload)}
                rows={data}
                keyOf={({ _id }) => _id}
              />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
      {isReplaying && (
        <ReplayFailedDialog webhook={webhook} onClose={() => setReplaying(false)} onDone={query.reload} />
      )}
    </section>
  );
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered) return <Empty title="No deliveries with this status" />;
  return (
    <Empty title="No deliveries yet">
      <p>Each subscribed event is posted to the URL and appears here. Trigger a workflow to see one.</p>
    </Empty>
  );
}

function columnsOf(webhook: Webhook, onChange: () => void): readonly Column<Delivery>[] {
  return [
    {
      label: 'Time',
      kind: 'narrow',
      cell: ({ occurredAt }) => (
        <span class="two-lines">
          <Moment at={occurredAt} isShort />
          <span class="soft">
            <Ago at={occurredAt} />
          </span>
        </span>
      ),
    },
    {
      label: 'Event',
      kind: 'wide',
      cell: ({ type, data, _id }) => (
        <details>
          <summary>{shortEvent(type)}</summary>
          <p class="soft plain">
            <code>webhook-id: {_id}</code>
          </p>
          {notificationOf(data) !== undefined && (
            <p class="plain">
              <Link href={`/notifications/${notificationOf(data)}`}>View notification</Link>
            </p>
          )}
          <Raw value={data} label="Event data" />
        </details>
      ),
    },
    { label: 'Status', kind: 'narrow', cell: (delivery) => <Status {...deliveryWord(delivery)} /> },
    {
      label: 'Response',
      cell: (delivery) => <Answer delivery={delivery} />,
    },
    {
      label: '',
      kind: 'narrow',
      cell: (delivery) =>
        isReplayable(delivery, webhook) && <ReplayButton webhook={webhook} delivery={delivery} onChange={onChange} />,
    },
  ];
}

function Answer({ delivery }: { delivery: Delivery }): VNode {
  return (
    <span class="stack">
      <span>{answerWords(delivery)}</span>
      <span class="soft">
        {delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`}
        {delivery.lastAttemptAt && (
          <>
            , last <Ago at={delivery.lastAttemptAt} />
          </>
        )}
        {delivery.status === 'pending' && delivery.nextAttemptAt && (
          <>
            , next <Ago at={delivery.nextAttemptAt} />
          </>
        )}
      </span>
    </span>
  );
}

function notificationOf(data: Delivery['data']): string | undefined {
  const { message } = data as { message?: { _notificationId?: unknown } };
  const id = message?._notificationId;
  return typeof id === 'string' && /^[\da-f]{24}$/.test(id) ? id : undefined;
}

interface ReplayProps {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
  readonly onChange: () => void;
}

function ReplayButton({ webhook, delivery, onChange }: ReplayProps): VNode {
  const api = useApi();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const replay = async (): Promise<void> => {
    setBusy(true);
    const params = { path: { webhookId: webhook._id, deliveryId: delivery._id } };
    try {
      await dataOf(api.POST('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', { params }));
      toast('The delivery is being resent.');
    } catch (error) {
      const { texts, advice } = toFailure(error);
      toast([...texts, advice].filter(Boolean).join(' '), 'bad');
    }
    setBusy(false);
    onChange();
  };
  return (
    <ActionButton needs="replayWebhookDelivery" class="small" disabled={isBusy} onClick={() => void replay()}>
      Resend<span class="unseen"> {shortEvent(delivery.type)}</span>
    </ActionButton>
  );
}
