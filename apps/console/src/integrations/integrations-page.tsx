import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { ActionLink } from '../access/action-button.js';
import { providerLabel, typeLabel } from '../activity/words.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { groupWords } from '../conditions/condition-words.js';
import { ConditionsView } from '../conditions/conditions-view.js';
import { useApi, useSession } from '../session.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { Monogram } from '../ui/monogram.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';
import { Moment } from '../ui/time.js';
import { CheckCell } from './check-cell.js';
import { byChannel, type Integration, integrationWord, isCatching } from './integration-words.js';

/** What messages are sent with, by channel, in the order in which it is tried. */
export function IntegrationsPage(): VNode {
  const api = useApi();
  const { environment } = useSession();
  const query = useQuery('integrations', (signal) => bodyOf(api.GET('/v1/integrations', { signal })));
  return (
    <Page
      title="Integrations"
      actions={
        <ActionLink needs="createIntegration" class="button primary" href="/integrations/new">
          Connect a provider
        </ActionLink>
      }
    >
      <p class="note intro">
        Provider accounts of the {environment.name} environment. Credentials are never shown here.
      </p>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No integrations yet">
              <p>In-app messages need no integration. To send email, SMS, push or chat messages, connect a provider.</p>
            </Empty>
          ) : (
            byChannel(data).map(({ channel, rows }) => (
              <section key={channel} class="channel-section" aria-labelledby={`channel-${channel}`}>
                <h2 id={`channel-${channel}`}>
                  <ChannelGlyph type={channel} /> {typeLabel(channel)}
                </h2>
                {!rows.some(({ active }) => active) && (
                  <p class="warn-text">
                    {channel === 'in_app'
                      ? 'Inactive: in-app steps fail.'
                      : 'No active integration: steps of this channel fail.'}
                  </p>
                )}
                {rows.some(isCatching) && (
                  <p class="warn-text">
                    Caught: nothing is sent. See <Link href="/catcher">Catcher</Link>.
                  </p>
                )}
                <Table
                  caption={`Integrations for ${typeLabel(channel)}`}
                  columns={COLUMNS}
                  rows={rows}
                  keyOf={({ _id }) => _id}
                />
              </section>
            ))
          )
        }
      </Loaded>
    </Page>
  );
}

const COLUMNS: readonly Column<Integration>[] = [
  {
    label: 'Name',
    kind: 'main',
    cell: ({ _id, name, identifier, primary }) => (
      <span class="two-lines">
        <span>
          <Link href={`/integrations/${_id}`}>{name}</Link> {primary && <span class="badge">primary</span>}
        </span>
        <code class="soft plain">{identifier}</code>
      </span>
    ),
  },
  {
    label: 'Provider',
    kind: 'narrow',
    cell: ({ providerId }) => (
      <span class="with-monogram">
        <Monogram name={providerLabel(providerId)} /> {providerLabel(providerId)}
      </span>
    ),
  },
  {
    label: 'Status',
    kind: 'narrow',
    cell: (row) => (
      <span class="stack">
        <Status {...integrationWord(row)} />
        {row.outage && (
          <span class="soft" title={row.outage.error}>
            since <Moment at={row.outage.since} isShort />
          </span>
        )}
        {row.quietUntil && (
          <span class="soft" title="The provider has asked for a wait.">
            waits until <Moment at={row.quietUntil} isShort />
          </span>
        )}
        {row.credentialsError && <span class="reason">{row.credentialsError}</span>}
      </span>
    ),
  },
  {
    label: 'Used for',
    cell: ({ conditions, retryUncertain, messagesPerSecond }) => {
      const groups = groupWords(conditions);
      return (
        <span class="two-lines">
          {groups.length === 0 ? <span>all tenants</span> : <ConditionsView groups={groups} />}
          {retryUncertain && <span class="soft">retries messages with an unknown outcome</span>}
          {messagesPerSecond !== undefined && <span class="soft">at most {messagesPerSecond} messages a second</span>}
        </span>
      );
    },
  },
  {
    label: 'Live check',
    kind: 'wide',
    cell: (row) =>
      row.channel === 'in_app' ? <span class="soft">no provider needed</span> : <CheckCell integration={row} />,
  },
];
