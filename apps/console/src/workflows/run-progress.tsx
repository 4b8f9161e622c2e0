import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { NotificationTable } from '../activity/notification-table.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Failed, Loading } from '../ui/states.js';
import { notStartedWords } from './dry-run-words.js';

export type Accepted = Schemas['TriggerResponse'];

/** Fast enough to watch, and no load. */
const EVERY_MS = 1_500;
const SHOWN = 20;

/** What becomes of a run, until it has ended. */
export function RunProgress({ accepted }: { accepted: Accepted }): VNode {
  const refused = notStartedWords(accepted);
  if (refused === undefined) return <Followed transactionId={accepted.transactionId} />;
  return (
    <div class="notice warn" role="status">
      <p>
        <strong>{refused}</strong>
      </p>
      {[accepted.hint, ...(accepted.error ?? [])].map((text) => text !== undefined && <p key={text}>{text}</p>)}
    </div>
  );
}

function Followed({ transactionId }: { transactionId: string }): VNode {
  const api = useApi();
  const [hasEnded, setEnded] = useState(false);
  const { data, failure } = useQuery(
    `run ${transactionId}`,
    async (signal) => {
      // Read in this order, the table has what the end of the event tells of.
      const event = await dataOf(
        api.GET('/v1/events/trigger/{transactionId}', { params: { path: { transactionId } }, signal }),
      );
      const query = { transactionId, limit: SHOWN };
      const { data: rows } = await bodyOf(api.GET('/v1/notifications', { params: { query }, signal }));
      if (event.ended) setEnded(true);
      return { event, rows };
    },
    hasEnded ? undefined : EVERY_MS,
  );
  if (failure && data === undefined) return <Failed failure={failure} />;
  if (data === undefined) return <Loading />;
  const { event, rows } = data;
  return (
    <>
      <p class={event.ended ? 'notice good' : 'notice'} role="status">
        <span>
          {event.ended ? 'The run has ended.' : 'The run is on its way. Steps that wait go on by themselves.'}{' '}
          <Link href={`/activity?transaction=${encodeURIComponent(transactionId)}`}>View in activity</Link>
        </span>
      </p>
      <NotificationTable
        rows={rows.map((row) => ({ row, isGone: false }))}
        isBusy={false}
        nameOf={({ name }) => name}
      />
    </>
  );
}
