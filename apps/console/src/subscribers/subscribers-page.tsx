import type { VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { ActionLink } from '../access/action-button.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { ApiReference } from '../ui/api-reference.js';
import { SelectField, TextField } from '../ui/fields.js';
import { Monogram } from '../ui/monogram.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { StatusMark } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { NewSubscriber } from './subscriber-actions.js';
import {
  type AddressChannel,
  fullName,
  guessedSearch,
  SEARCHES,
  searchOf,
  type Subscriber,
} from './subscriber-words.js';

const ROWS = 50;

/** The subscribers of the environment, newest first, and a search. */
export function SubscribersPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.get('search') ?? '';
  const by = searchOf(parameters.get('by'));
  const page = pageOf(parameters);
  const query = useQuery(`subscribers ${page} ${by} ${text}`, (signal) => {
    const asked = { page, limit: ROWS, ...(text !== '' && { [by]: text }) };
    return bodyOf(api.GET('/v1/subscribers', { params: { query: asked }, signal }));
  });
  const search = (value: string): void => {
    const trimmed = value.trim();
    setParameters(trimmed === '' ? {} : { search: trimmed, by: guessedSearch(trimmed) ?? by });
  };
  return (
    <Page
      title="Subscribers"
      actions={
        <>
          <ActionLink needs="bulkCreateSubscribers" class="button" href="/import">
            Import
          </ActionLink>
          <NewSubscriber />
        </>
      }
    >
      <search class="filters search-pair" aria-label="Search">
        <SelectField
          label="Search by"
          value={by}
          choices={SEARCHES}
          onChange={(value) => setParameters({ by: value, ...(text !== '' && { search: text }) })}
        />
        <TextField label="Search" type="search" placeholder="ada" value={text} onChange={search} />
      </search>
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <NoSubscribers isSearch={text !== ''} />
            ) : (
              <Table caption="Subscribers, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function NoSubscribers({ isSearch }: { isSearch: boolean }): VNode {
  if (isSearch) {
    return (
      <Empty title="No matching subscribers">
        <p>Enter complete email addresses and phone numbers. Ids and names match by prefix.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No subscribers yet">
      <p>
        A subscriber is a person you notify. The first trigger for an id creates one; New subscriber and Import do as
        well. <ApiReference />
      </p>
    </Empty>
  );
}

function Address({ subscriber, channel }: { subscriber: Subscriber; channel: AddressChannel }): VNode | null {
  const address = channel === 'email' ? subscriber.email : subscriber.phone;
  const isDead = subscriber.addressStates?.[channel] !== undefined;
  if (!address) return null;
  return (
    <span class={isDead ? 'address dead' : 'address'}>
      {isDead && <StatusMark tone="bad" />}
      <span>
        {address}
        {isDead && <span class="unseen"> (undeliverable)</span>}
      </span>
    </span>
  );
}

const COLUMNS: readonly Column<Subscriber>[] = [
  {
    label: 'Subscriber',
    kind: 'main',
    cell: (row) => (
      <span class="with-monogram">
        <Monogram name={fullName(row) || row.subscriberId} isPerson />
        <span class="two-lines">
          <Link href={`/subscribers/${encodeURIComponent(row.subscriberId)}`}>{row.subscriberId}</Link>
          <span class="soft">{fullName(row)}</span>
        </span>
      </span>
    ),
  },
  { label: 'Email', kind: 'wide', cell: (row) => <Address subscriber={row} channel="email" /> },
  { label: 'Phone', kind: 'narrow', cell: (row) => <Address subscriber={row} channel="sms" /> },
  {
    label: 'Channels',
    cell: ({ channels }) => [...new Set(channels.map(({ providerId }) => providerId))].join(', '),
  },
  { label: 'Created', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];
