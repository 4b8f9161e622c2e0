import type { VNode } from 'preact';
import { Link, Redirect, useSearchParams } from 'wouter-preact';
import { EmptyActivity } from '../activity/empty-activity.js';
import { filtersOf, isFiltered, NO_FILTERS } from '../activity/filters.js';
import { bodyOf, dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { changeWords } from '../health/health-words.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Moment } from '../ui/time.js';
import { Channels } from './channels.js';
import { type Figure, Figures } from './figures.js';
import {
  formerQuery,
  listAddress,
  RANGES,
  rangeOf,
  reported,
  share,
  type Summary,
  summaryQuery,
  upTo,
} from './home-words.js';
import { Providers } from './providers.js';
import { SlowestWorkflows, WorstWorkflows } from './workflows.js';

const POLL_MS = 15_000;

/** What was sent, read and failed, where it is worst, and what waits. Each figure leads to the list behind it. */
export function HomePage(): VNode {
  const [parameters] = useSearchParams();
  // The activity had this address before.
  if (isFiltered(filtersOf(parameters))) return <Redirect to={`/activity?${parameters}`} replace />;
  return <Overview />;
}

function Overview(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const range = rangeOf(parameters.get('range'));
  const query = useQuery(
    range,
    (signal) => {
      const params = { query: summaryQuery(range, Date.now()) };
      return dataOf(api.GET('/v1/activity/summary', { params, signal }));
    },
    POLL_MS,
  );
  const { data: former } = useQuery(`before ${range}`, (signal) => {
    const params = { query: formerQuery(range, Date.now()) };
    return dataOf(api.GET('/v1/activity/summary', { params, signal }));
  });
  return (
    <Page
      title="Home"
      actions={
        <div class="toggle" role="group" aria-label="Period">
          {RANGES.map((one) => (
            <button
              key={one.range}
              type="button"
              aria-pressed={one.range === range}
              onClick={() => setParameters({ range: one.range })}
            >
              {one.label}
            </button>
          ))}
        </div>
      }
    >
      <Loaded query={query}>
        {(summary) => (
          <>
            <Waiting summary={summary} />
            {summary.runs === 0 && summary.channels.length === 0 ? (
              <NothingYet />
            ) : (
              <>
                <Totals summary={summary} former={former} />
                <Channels summary={summary} former={former} />
                <div class="home-pair">
                  <WorstWorkflows summary={summary} />
                  <SlowestWorkflows summary={summary} />
                </div>
              </>
            )}
            <Providers />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Totals({ summary, former }: { summary: Summary; former: Summary | undefined }): VNode {
  const { total, runs, failedRuns, from, to, countedTo } = summary;
  const completed = listAddress({ status: 'completed' }, from);
  const figures: Figure[] = [
    {
      name: 'Notifications',
      value: runs.toLocaleString('en'),
      note: changeWords(runs, former?.runs),
      href: listAddress({}, from),
    },
    {
      name: 'Failed notifications',
      value: failedRuns.toLocaleString('en'),
      note: share(failedRuns, runs),
      href: listAddress({ status: 'failed' }, from),
    },
    {
      name: 'Messages sent',
      value: total.sent.toLocaleString('en'),
      note: changeWords(total.sent, former?.total.sent),
      href: completed,
    },
    {
      name: 'Delivered',
      ...reported(total.delivered, total),
      href: completed,
    },
    { name: 'Read', ...reported(total.read, total), href: completed },
    { name: 'Bounced', value: total.bounced.toLocaleString('en'), href: completed },
  ];
  const isLate = Date.parse(countedTo) + 120_000 < Math.min(Date.now(), Date.parse(to));
  return (
    <section class="panel" aria-label="Totals">
      <Figures figures={figures} />
      {isLate && (
        <p class="note">
          Counted until <Moment at={countedTo} isShort />.
        </p>
      )}
    </section>
  );
}

function Waiting({ summary: { waiting } }: { summary: Summary }): VNode | null {
  const kinds: [string, number][] = [
    ['Due now', waiting.queued],
    ['Delayed, or tried again later', waiting.delayed],
    ['Digests being collected', waiting.digests],
    ['Held until a schedule opens', waiting.held],
    ['Waiting for an event', waiting.awaiting],
  ];
  const figures = kinds
    .filter(([, count]) => count > 0)
    .map(([name, count]): Figure => ({ name, value: upTo(count), href: '/activity?status=active' }));
  if (figures.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="waiting">
      <h2 id="waiting">Waiting now</h2>
      <Figures figures={figures} />
    </section>
  );
}

/** An environment without notifications has the sample; others had none in the period. */
function NothingYet(): VNode | null {
  const api = useApi();
  const { data } = useQuery('any notification', (signal) =>
    bodyOf(api.GET('/v1/notifications', { params: { query: { page: 0, limit: 1 } }, signal })),
  );
  if (data === undefined) return null;
  if (data.data.length === 0) return <EmptyActivity filters={NO_FILTERS} workflows={[]} onFilters={() => undefined} />;
  return (
    <Empty title="Nothing happened in this period">
      <p>
        Choose a longer one, or see all under <Link href="/activity">Activity</Link>.
      </p>
    </Empty>
  );
}
