import type { VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { bodyOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { pageOf } from '../activity/filters.js';
import { refusalWord } from '../activity/event-words.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago, Moment } from '../ui/time.js';

const POLL_MS = 5_000;
const ROWS = 50;

type RefusedEvent = Schemas['EventResponse'];

const COLUMNS: readonly Column<RefusedEvent>[] = [
  {
    label: 'Time',
    kind: 'narrow',
    cell: ({ updatedAt }) => (
      <span class="two-lines">
        <Moment at={updatedAt} isShort />
        <span class="soft">
          <Ago at={updatedAt} />
        </span>
      </span>
    ),
  },
  {
    label: 'Transaction',
    kind: 'main',
    cell: ({ transactionId, times = 1, omitted = 0 }) => (
      <span class="two-lines">
        <span>{transactionId}</span>
        {times > 1 && <span class="soft">{times.toLocaleString('en')} triggers</span>}
        {omitted > 0 && <span class="soft">and {omitted.toLocaleString('en')} others in the same second</span>}
      </span>
    ),
  },
  {
    label: 'Workflow',
    cell: ({ name, tenant }) => (
      <span class="two-lines">
        <span>{name}</span>
        {tenant !== undefined && <span class="soft">tenant {tenant}</span>}
      </span>
    ),
  },
  {
    label: 'Reason',
    kind: 'wide',
    cell: (event) => (
      <div class="two-lines">
        <Status tone="warn" label={refusalWord(event)} />
        <p class="reason">
          {[event.reason, ...(event.error ?? [])]
            .filter(Boolean)
            .map((text) => plainWords(text ?? ''))
            .join(' ')}
        </p>
      </div>
    ),
  },
];

/** Triggers that were acknowledged and delivered nothing: they have no notification that could be looked at. */
export function RefusedPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const query = useQuery(
    String(page),
    (signal) => bodyOf(api.GET('/v1/events/refused', { params: { query: { page, limit: ROWS } }, signal })),
    POLL_MS,
  );
  return (
    <Page title="Refused triggers">
      <p class="note lead">
        Triggers that created no notification because of their workflow, tenant, content or API key. Fix the cause, then
        trigger the event again. You can use the same transaction id.
      </p>
      <Loaded query={query}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <Empty title="No refused triggers">
              <p>
                Every trigger was accepted. See <Link href="/activity">Activity</Link> for the results.
              </p>
            </Empty>
          ) : (
            <>
              <Table
                caption="Refused triggers, newest first"
                columns={COLUMNS}
                rows={data}
                keyOf={({ transactionId }) => transactionId}
              />
              <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters({ page: String(next) })} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
