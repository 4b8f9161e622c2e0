import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { useWorkflows } from '../activity/use-workflows.js';
import { typeLabel } from '../activity/words.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { SelectField, TextField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago, Moment } from '../ui/time.js';
import { ExportButtons } from './export-buttons.js';
import { AddDialog, LiftDialog } from './suppression-dialogs.js';
import {
  type Asked,
  askedIn,
  CHANNEL_CHOICES,
  KIND_CHOICES,
  kindWord,
  reasonWords,
  type Suppression,
} from './suppression-words.js';

const ROWS = 50;

/** Addresses and people that nothing is sent to, and why. */
export function SuppressionsPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const [open, setOpen] = useState<Suppression | 'new'>();
  const workflows = useWorkflows();
  const asked = askedIn(parameters);
  const page = pageOf(parameters);
  const close = (): void => setOpen(undefined);
  const query = useQuery(`suppressions ${page} ${JSON.stringify(asked)}`, (signal) =>
    bodyOf(api.GET('/v1/suppressions', { params: { query: { ...asked, page, limit: ROWS } }, signal })),
  );
  const nameOf = (id: string): string => workflows.find(({ _id }) => _id === id)?.name ?? 'a workflow';
  const columns = columnsOf(nameOf, setOpen);
  return (
    <Page
      title="Suppressions"
      actions={
        <>
          <ExportButtons asked={asked} />
          <ActionButton needs="createSuppression" class="primary" onClick={() => setOpen('new')}>
            Suppress an address…
          </ActionButton>
        </>
      }
    >
      <Filters asked={asked} />
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <Nothing isFiltered={Object.keys(asked).length > 0} />
            ) : (
              <Table caption="Suppressions, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
      {open === 'new' && <AddDialog onClose={close} onDone={query.reload} />}
      {open !== undefined && open !== 'new' && (
        <LiftDialog suppression={open} name={shownName(open)} onClose={close} onDone={query.reload} />
      )}
    </Page>
  );
}

function Filters({ asked }: { readonly asked: Asked }): VNode {
  const [parameters, setParameters] = useSearchParams();
  const filter = (name: string, value: string): void => {
    const next = withPage(parameters, 0);
    if (value.trim() === '') next.delete(name);
    else next.set(name, value.trim());
    setParameters(next);
  };
  return (
    <search class="filters" aria-label="Filters">
      <TextField
        label="Address"
        type="search"
        placeholder="ada@example.com"
        value={asked.address ?? ''}
        onChange={(value) => filter('address', value)}
      />
      <SelectField
        label="Because"
        value={asked.kind ?? ''}
        choices={KIND_CHOICES}
        onChange={(value) => filter('kind', value)}
      />
      <SelectField
        label="Channel"
        value={asked.channel ?? ''}
        choices={CHANNEL_CHOICES}
        onChange={(value) => filter('channel', value)}
      />
    </search>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): VNode {
  if (isFiltered) {
    return (
      <Empty title="No matching suppressions">
        <p>Enter complete email addresses and phone numbers.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No suppressions">
      <p>
        Addresses that bounced or complained, people who unsubscribed by a link, and addresses that you add. Nothing is
        sent to them.
      </p>
    </Empty>
  );
}

function shownName({ address, subscriberId }: Suppression): string {
  return address ?? subscriberId ?? 'the recipient';
}

function Whose({ address, subscriberId }: Suppression): VNode {
  return (
    <span class="two-lines">
      {address !== undefined && <span>{address}</span>}
      {subscriberId === undefined ? (
        <span class="soft plain">no subscriber</span>
      ) : (
        <Link href={`/subscribers/${encodeURIComponent(subscriberId)}`}>{subscriberId}</Link>
      )}
    </span>
  );
}

function columnsOf(
  nameOf: (workflowId: string) => string,
  onLift: (suppression: Suppression) => void,
): readonly Column<Suppression>[] {
  return [
    {
      label: 'Address or subscriber',
      kind: 'main',
      cell: (row) => <Whose {...row} />,
    },
    {
      label: 'Channel',
      kind: 'narrow',
      cell: ({ channel, kind, workflowId }) => (
        <span class="two-lines">
          <span>{typeLabel(channel)}</span>
          {kind === 'unsubscribe' && (
            <span class="soft">{workflowId === undefined ? 'all workflows' : nameOf(workflowId)}</span>
          )}
        </span>
      ),
    },
    {
      label: 'Because',
      kind: 'wide',
      cell: (row) => (
        <span class="two-lines">
          <span>{kindWord(row)}</span>
          <span class="soft reason">{reasonWords(row)}</span>
        </span>
      ),
    },
    {
      label: 'Since',
      kind: 'narrow',
      cell: ({ since }) => (
        <span class="two-lines">
          <Moment at={since} isShort />
          <span class="soft">
            <Ago at={since} />
          </span>
        </span>
      ),
    },
    {
      label: '',
      kind: 'narrow',
      cell: (row) => (
        <ActionButton needs="clearSuppression" class="small" onClick={() => onLift(row)}>
          Lift…<span class="unseen"> {shownName(row)}</span>
        </ActionButton>
      ),
    },
  ];
}
