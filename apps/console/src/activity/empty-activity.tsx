import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { bodyOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { ApiReference } from '../ui/api-reference.js';
import { Empty } from '../ui/states.js';
import { Ago } from '../ui/time.js';
import { CatchSample } from './catch-sample.js';
import { acceptedWords, refusalWord } from './event-words.js';
import { type Filters, isFiltered, NO_FILTERS } from './filters.js';
import { SendSample } from './sample.js';

interface Props {
  readonly filters: Filters;
  readonly workflows: readonly Schemas['WorkflowSummaryResponse'][];
  readonly onFilters: (filters: Filters) => void;
}

/** Why the list is empty: nothing was triggered, nothing matches, or the trigger was refused. */
export function EmptyActivity({ filters, workflows, onFilters }: Props): VNode {
  if (!isFiltered(filters)) {
    return (
      <Empty title="No notifications yet">
        <p>
          A notification is one run of a workflow for one recipient. Trigger a workflow from your application to see it
          here: its page shows the call. <ApiReference />
        </p>
        <SendSample />
        <CatchSample />
      </Empty>
    );
  }
  const transaction = filters.transaction || filters.search;
  const inactive = workflows.find(({ _id, active }) => _id === filters.workflow && !active);
  return (
    <>
      {transaction !== '' && <RefusedEvent transactionId={transaction} />}
      <Empty title="No matching notifications">
        {inactive && (
          <p>
            The workflow “{inactive.name}” is inactive, so its triggers create no notifications. Activate it, then
            trigger the event again.
          </p>
        )}
        <p>
          Try fewer filters. A trigger for an inactive workflow or an unknown tenant creates no notification: see{' '}
          <Link href="/refused">Refused triggers</Link>.
        </p>
        <button type="button" onClick={() => onFilters(NO_FILTERS)}>
          Clear filters
        </button>
      </Empty>
    </>
  );
}

/** The event with this transaction id, if there is one: it tells why it has created nothing. */
function RefusedEvent({ transactionId }: { transactionId: string }): VNode | null {
  const api = useApi();
  const { data } = useQuery(`event ${transactionId}`, (signal) =>
    bodyOf(api.GET('/v1/events/trigger/{transactionId}', { params: { path: { transactionId } }, signal })),
  );
  const event = data?.data;
  if (event === undefined) return null;
  return (
    <div class="notice warn" role="status">
      <p>
        <strong>
          The event “{event.transactionId}”: {refusalWord(event)}
        </strong>{' '}
        {event.times !== undefined && event.times > 1 && `${event.times} triggers, most recently `}
        <Ago at={event.updatedAt} />
      </p>
      {event.reason && <p>{plainWords(event.reason)}</p>}
      {event.error?.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
      {event.status === 'processed' && <p>{acceptedWords(event)}</p>}
    </div>
  );
}
