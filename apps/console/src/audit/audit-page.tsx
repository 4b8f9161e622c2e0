import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { bodyOf, dataOf } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { SelectField, TextField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { saveFile } from '../ui/save-file.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';
import { Ago, Moment } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import {
  actionWords,
  addressOf,
  type Asked,
  askedIn,
  type Entry,
  outcomeWord,
  programOf,
  TYPE_CHOICES,
  typeWord,
  wayWord,
} from './audit-words.js';
import { ChangesView } from './changes-view.js';

const ROWS = 50;

/** Who changed what, when and from where. */
export function AuditPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const asked = askedIn(parameters);
  const cursor = parameters.get('cursor') ?? '';
  const query = useQuery(`audit ${cursor} ${JSON.stringify(asked)}`, (signal) =>
    dataOf(
      api.GET('/v1/audit-log', {
        params: { query: { ...asked, ...(cursor !== '' && { cursor }), limit: ROWS } },
        signal,
      }),
    ),
  );
  const turn = (next: string | undefined): void => {
    const changed = new URLSearchParams(parameters);
    changed.delete('cursor');
    if (next !== undefined) changed.set('cursor', next);
    setParameters(changed);
  };
  return (
    <Page title="Audit log" actions={query.data && <ExportButton asked={asked} />}>
      {query.failure?.code !== 'scope_missing' && <Filters asked={asked} />}
      <Loaded query={query}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <Empty title={Object.keys(asked).length > 0 ? 'No matching entries' : 'No entries'}>
                <p>Every change of the set-up, every sign-in, export and deletion becomes an entry.</p>
              </Empty>
            ) : (
              <Table caption="Audit log, newest first" columns={COLUMNS} rows={entries} keyOf={({ _id }) => _id} />
            )}
            {(cursor !== '' || next !== undefined) && (
              <nav class="pager" aria-label="Pages">
                <button type="button" disabled={cursor === ''} onClick={() => turn(undefined)}>
                  Newest
                </button>
                <button type="button" disabled={next === undefined} onClick={() => turn(next)}>
                  Older
                </button>
              </nav>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ExportButton({ asked }: { readonly asked: Asked }): VNode {
  const api = useApi();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const lines = await bodyOf(api.GET('/v1/audit-log/export', { params: { query: asked }, parseAs: 'text' }));
      saveFile('audit-log.jsonl', lines, 'application/x-ndjson');
    } catch (error) {
      toast(toFailure(error).texts.join(' '), 'bad');
    }
    setBusy(false);
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void save()}>
      Export JSON lines
    </button>
  );
}

function Filters({ asked }: { readonly asked: Asked }): VNode {
  const [parameters, setParameters] = useSearchParams();
  const actors = useActors();
  const filter = (values: Asked): void => {
    const next = new URLSearchParams(parameters);
    next.delete('cursor');
    for (const [name, value] of Object.entries(values) as [string, string][]) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setParameters(next);
  };
  const { actorId = '', resourceType = '', resourceId, from = '', to = '' } = asked;
  const known = actors.some(({ value }) => value === actorId)
    ? actors
    : [...actors, { value: actorId, label: actorId }];
  return (
    <>
      <search class="filters audit-filters" aria-label="Filters">
        <SelectField
          label="What"
          value={resourceType}
          choices={TYPE_CHOICES}
          onChange={(value) => filter({ resourceType: value, resourceId: '' })}
        />
        <SelectField label="Who" value={actorId} choices={known} onChange={(value) => filter({ actorId: value })} />
        <TextField
          label="From"
          type="datetime-local"
          value={toLocal(from)}
          onChange={(value) => filter({ from: toMoment(value) })}
        />
        <TextField
          label="Until"
          type="datetime-local"
          value={toLocal(to)}
          onChange={(value) => filter({ to: toMoment(value) })}
        />
      </search>
      {resourceId !== undefined && (
        <p class="note intro">
          Only the history of one {typeWord(resourceType === '' ? 'resource' : resourceType)}.{' '}
          <button type="button" class="small" onClick={() => filter({ resourceType: '', resourceId: '' })}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

/** The people and keys of today; entries name those of the past. */
function useActors(): readonly { readonly value: string; readonly label: string }[] {
  const api = useApi();
  const { data } = useQuery('actors', async (signal) => {
    const [users, keys] = await Promise.all([
      dataOf(api.GET('/v1/users', { signal })),
      dataOf(api.GET('/v1/environments/api-keys/all', { signal })),
    ]);
    return [
      ...users.map(({ _id, name, email }) => ({ value: _id, label: `${name} (${email})` })),
      ...keys.map(({ _id, name }) => ({ value: _id, label: `Key “${name}”` })),
      { value: 'command line', label: 'Command line' },
    ];
  });
  return [{ value: '', label: 'Anybody' }, ...(data ?? [])];
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    label: 'What',
    kind: 'main',
    cell: (entry) => <What {...entry} />,
  },
  {
    label: 'Who',
    cell: (entry) => (
      <span class="two-lines">
        <span>{entry.actor.name ?? entry.actor.id}</span>
        <span class="soft plain">{wayWord(entry)}</span>
      </span>
    ),
  },
  {
    label: 'From where',
    cell: ({ ip, userAgent }) => (
      <span class="two-lines">
        <span>{ip}</span>
        <span class="soft plain" title={userAgent}>
          {programOf(userAgent)}
        </span>
      </span>
    ),
  },
  {
    label: 'When',
    kind: 'narrow',
    cell: ({ createdAt }) => (
      <span class="two-lines">
        <Moment at={createdAt} isShort />
        <span class="soft">
          <Ago at={createdAt} />
        </span>
      </span>
    ),
  },
];

function What(entry: Entry): VNode {
  const { action, resource } = entry;
  const address = addressOf(entry);
  const outcome = outcomeWord(entry);
  const name = resource.name ?? resource.id;
  return (
    <div class="stack">
      <span title={action}>{actionWords(action)}</span>
      {name !== undefined && (
        <span class="plain">
          {address === undefined ? <span class="soft">{name}</span> : <Link href={address}>{name}</Link>}
        </span>
      )}
      {outcome && <Status {...outcome} />}
      <ChangesView {...entry} />
    </div>
  );
}

/** As the field wants it, in the zone of the browser. */
function toLocal(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toMoment(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
