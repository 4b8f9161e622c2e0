import type { VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { pageOf } from '../activity/filters.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago, Moment } from '../ui/time.js';
import { type Replay, replayWord } from './replay-words.js';

const POLL_MS = 5_000;
const ROWS = 20;

const COLUMNS: readonly Column<Replay>[] = [
  {
    label: 'Started',
    kind: 'main',
    cell: ({ _id, createdAt }) => (
      <Link href={`/replays/${_id}`}>
        <Moment at={createdAt} isShort />
      </Link>
    ),
  },
  { label: 'Status', cell: (replay) => <Status {...replayWord(replay)} /> },
  { label: 'Matched', kind: 'number', cell: ({ total }) => total?.toLocaleString('en') ?? '…' },
  { label: 'Replayed', kind: 'number', cell: ({ replayed }) => replayed.toLocaleString('en') },
  {
    label: 'Not replayed',
    kind: 'number',
    cell: ({ examined, replayed }) => (examined - replayed).toLocaleString('en'),
  },
  { label: 'Ended', cell: ({ endedAt }) => endedAt && <Ago at={endedAt} /> },
];

export function ReplaysPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const query = useQuery(
    String(page),
    (signal) => bodyOf(api.GET('/v1/notifications/replays', { params: { query: { page, limit: ROWS } }, signal })),
    POLL_MS,
  );
  return (
    <Page title="Replays">
      <Loaded query={query}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <Empty title="No replays yet">
              <p>
                To recover from an outage, filter the <Link href="/activity?status=failed">failed notifications</Link>{' '}
                and choose “Replay failed…”.
              </p>
            </Empty>
          ) : (
            <>
              <Table caption="Replays, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
              <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters({ page: String(next) })} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
