import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { bodyOf, dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { healthWord, type ProviderHealth, timeToSend, titleOf, worstFirst } from '../health/health-words.js';
import { integrationWord } from '../integrations/integration-words.js';
import { useApi } from '../session.js';
import { Failed } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';

const POLL_MS = 30_000;

/** How providers have done in the last day, and which are down now. */
export function Providers(): VNode | null {
  const api = useApi();
  const health = useQuery(
    'providers',
    (signal) => dataOf(api.GET('/v1/activity/delivery', { params: { query: { period: 'day' } }, signal })),
    POLL_MS,
  );
  const integrations = useQuery('integrations', (signal) => bodyOf(api.GET('/v1/integrations', { signal })), POLL_MS);
  const down = (integrations.data?.data ?? []).filter(
    ({ active, outage, credentialsError }) => active && (outage !== undefined || credentialsError !== undefined),
  );
  if (health.failure) return <Failed failure={health.failure} onRetry={health.reload} />;
  const providers = worstFirst(health.data?.providers ?? []);
  if (providers.length === 0 && down.length === 0) return null;
  return (
    <section class="home-section" aria-labelledby="providers">
      <h2 id="providers">Providers in the last 24 hours</h2>
      {down.length > 0 && (
        <ul class="panel">
          {down.map((integration) => (
            <li key={integration._id}>
              <Status {...integrationWord(integration)} />{' '}
              <Link href={`/integrations/${integration._id}`}>{integration.name}</Link>{' '}
              <span class="soft">{integration.outage?.error}</span>
            </li>
          ))}
        </ul>
      )}
      {providers.length > 0 && (
        <Table caption="Providers in the last 24 hours" columns={COLUMNS} rows={providers} keyOf={titleOf} />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<ProviderHealth>[] = [
  { label: 'Provider', kind: 'main', cell: (row) => <Link href="/health?period=day">{titleOf(row)}</Link> },
  { label: 'Health', kind: 'wide', cell: (row) => <Status {...healthWord(row)} /> },
  {
    label: 'Sent',
    kind: 'number',
    cell: ({ channel, sent }) => (
      <Link href={`/activity?channel=${channel}&period=24h`}>{sent.toLocaleString('en')}</Link>
    ),
  },
  {
    label: 'Failed',
    kind: 'number',
    cell: ({ channel, failed }) => (
      <Link href={`/activity?status=failed&channel=${channel}&period=24h`}>{failed.toLocaleString('en')}</Link>
    ),
  },
  { label: '95th percentile', kind: 'number', cell: ({ p95Ms }) => timeToSend(p95Ms) },
];
