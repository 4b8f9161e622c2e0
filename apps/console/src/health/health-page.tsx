import type { VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { clockOf } from '../durations.js';
import { Chart } from './chart.js';
import {
  changeWords,
  chartWords,
  countsBefore,
  hasAny,
  healthWord,
  laneLabel,
  type ProviderHealth,
  timeToSend,
  titleOf,
  worstFirst,
} from './health-words.js';

const POLL_MS = 5_000;

type Period = Schemas['DeliveryHealthResponse']['period'];
const PERIODS: readonly { readonly period: Period; readonly label: string }[] = [
  { period: 'hour', label: 'Last hour' },
  { period: 'day', label: 'Last day' },
];

/** What each channel and provider sent and failed to send, how long it took, and what is due. */
export function HealthPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const period: Period = parameters.get('period') === 'day' ? 'day' : 'hour';
  const query = useQuery(
    period,
    (signal) => dataOf(api.GET('/v1/activity/delivery', { params: { query: { period } }, signal })),
    POLL_MS,
  );
  return (
    <Page
      title="Delivery health"
      actions={
        <div class="toggle" role="group" aria-label="Period">
          {PERIODS.map((one) => (
            <button
              key={one.period}
              type="button"
              aria-pressed={one.period === period}
              onClick={() => setParameters({ period: one.period })}
            >
              {one.label}
            </button>
          ))}
        </div>
      }
    >
      <Loaded query={query}>
        {({ providers, backlog }) => (
          <>
            <Backlog backlog={backlog} />
            {providers.length === 0 ? (
              <Empty title="Nothing was sent in this period">
                <p>
                  Each channel and provider with deliveries has a chart here.{' '}
                  <Link href="/activity">View activity</Link>.
                </p>
              </Empty>
            ) : (
              <ul class="providers">
                {worstFirst(providers).map((health) => (
                  <Provider key={titleOf(health)} health={health} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Provider({ health }: { health: ProviderHealth }): VNode {
  const { sent, failed, retried, dead, medianMs, p95Ms, channel, points, pointsBefore } = health;
  const before = countsBefore(health);
  const figures: [name: string, value: string, note?: string][] = [
    ['Sent', sent.toLocaleString('en'), changeWords(sent, before.sent)],
    ['Failed', failed.toLocaleString('en')],
    ['Retried', retried.toLocaleString('en')],
    ['Not delivered', dead.toLocaleString('en')],
    ['Median time', timeToSend(medianMs)],
    ['95th percentile', timeToSend(p95Ms)],
  ];
  return (
    <li class="panel provider">
      <header class="step-head">
        <h2>{titleOf(health)}</h2>
        <Status {...healthWord(health)} />
      </header>
      <dl class="figures">
        {figures.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {note && <span class="soft"> {note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <Chart
        points={points}
        {...(hasAny(before) && { former: pointsBefore.map((point) => point.sent + point.failed) })}
        words={chartWords(health, clockOf)}
        nameOf={clockOf}
      />
      <div class="provider-foot">
        <details>
          <summary class="note">Show as table</summary>
          <Table caption={titleOf(health)} columns={POINTS} rows={points} keyOf={({ at }) => at} />
        </details>
        {failed > 0 && (
          <Link href={`/activity?status=failed&channel=${channel}&period=24h`}>View failed notifications</Link>
        )}
      </div>
    </li>
  );
}

const POINTS: readonly Column<ProviderHealth['points'][number]>[] = [
  { label: 'From', kind: 'main', cell: ({ at }) => clockOf(at) },
  { label: 'Sent', kind: 'number', cell: ({ sent }) => sent },
  { label: 'Failed', kind: 'number', cell: ({ failed }) => failed },
  { label: 'Retried', kind: 'number', cell: ({ retried }) => retried },
  { label: 'Not delivered', kind: 'number', cell: ({ dead }) => dead },
];

function counted(count: number): string {
  return `${count.toLocaleString('en')}${count === 10_000 ? ' or more' : ''}`;
}

/** Work that is due, whether or not a worker has taken it up. */
function Backlog({ backlog }: { backlog: readonly Schemas['DeliveryBacklogResponse'][] }): VNode {
  const open = backlog.filter(({ due, claimed, suspected }) => due + claimed + suspected > 0);
  return (
    <section class="panel backlog" aria-label="Backlog">
      {open.length === 0 ? (
        <Status tone="good" label="The queues are empty." />
      ) : (
        <ul>
          {open.map(({ lane, due, claimed, suspected, oldestDueAt }) => (
            <li key={lane}>
              <Status tone="busy" label={`${counted(due)} due`} /> {laneLabel(lane)}
              {claimed > 0 && <span class="soft"> · {counted(claimed)} in progress</span>}
              {suspected > 0 && <span class="soft"> · {counted(suspected)} tried again after a worker was lost</span>}
              {oldestDueAt !== undefined && (
                <span class="soft">
                  {' '}
                  · oldest <Ago at={oldestDueAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
