import type { VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { ActionLink } from '../access/action-button.js';
import { useWorkflows } from '../activity/use-workflows.js';
import { workflowNames } from '../activity/workflow-names.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { type Choice, SelectField, TextField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import {
  occurrenceWords,
  outcomeWord,
  ruleWords,
  type Schedule,
  statusWord,
  titleOf,
  zoneWords,
} from './schedule-words.js';

const ROWS = 30;
const STATUSES = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'ended', label: 'Ended' },
];

/** The schedules of the environment, newest first. */
export function SchedulesPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const asked = {
    status: parameters.get('status') ?? '',
    workflow: parameters.get('workflow') ?? '',
    subscriberId: parameters.get('subscriber') ?? '',
    topic: parameters.get('topic') ?? '',
  };
  const query = useQuery(`schedules ${page} ${JSON.stringify(asked)}`, (signal) => {
    const { status, workflow, subscriberId, topic } = asked;
    const known = STATUSES.some(({ value }) => value === status && value !== '');
    const filter = {
      ...(known && { status: status as Schedule['status'] }),
      ...(workflow !== '' && { workflow }),
      ...(subscriberId !== '' && { subscriberId }),
      ...(topic !== '' && { topic }),
    };
    return bodyOf(api.GET('/v1/schedules', { params: { query: { page, limit: ROWS, ...filter } }, signal }));
  });
  const set = (name: string, value: string): void => {
    const next = new URLSearchParams(parameters);
    next.delete('page');
    if (value.trim() === '') next.delete(name);
    else next.set(name, value.trim());
    setParameters(next);
  };
  const isFiltered = Object.values(asked).some((value) => value !== '');
  return (
    <Page
      title="Schedules"
      actions={
        <ActionLink needs="createSchedule" class="button primary" href="/schedules/new">
          New schedule
        </ActionLink>
      }
    >
      <Filters asked={asked} onFilter={set} />
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <NoSchedules isFiltered={isFiltered} />
            ) : (
              <Table caption="Schedules, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface FilterProps {
  readonly asked: {
    readonly status: string;
    readonly workflow: string;
    readonly subscriberId: string;
    readonly topic: string;
  };
  readonly onFilter: (name: string, value: string) => void;
}

function Filters({ asked, onFilter }: FilterProps): VNode {
  const workflows = useWorkflows();
  return (
    <search class="filters" aria-label="Filters">
      <SelectField
        label="Status"
        value={asked.status}
        choices={STATUSES}
        onChange={(value) => onFilter('status', value)}
      />
      <SelectField
        label="Workflow"
        value={asked.workflow}
        choices={[{ value: '', label: 'All' }, ...choicesOf(workflows)]}
        onChange={(value) => onFilter('workflow', value)}
      />
      <TextField
        label="Subscriber"
        type="search"
        placeholder="ada"
        value={asked.subscriberId}
        onChange={(value) => onFilter('subscriber', value)}
      />
      <TextField
        label="Topic"
        type="search"
        placeholder="customers"
        value={asked.topic}
        onChange={(value) => onFilter('topic', value)}
      />
    </search>
  );
}

/** By identifier, as schedules name them. */
export function choicesOf(workflows: ReturnType<typeof useWorkflows>): Choice[] {
  const nameOf = workflowNames(workflows);
  return workflows.map((one) => ({ value: one.triggers[0]?.identifier ?? '', label: nameOf(one) }));
}

function NoSchedules({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered) return <Empty title="No matching schedules" />;
  return (
    <Empty title="No schedules yet">
      <p>A schedule triggers a workflow at the times of a rule, or once. Nothing is sent before you create one.</p>
    </Empty>
  );
}

const COLUMNS: readonly Column<Schedule>[] = [
  {
    label: 'Schedule',
    kind: 'main',
    cell: (row) => (
      <span class="two-lines">
        <Link href={`/schedules/${row._id}`}>{titleOf(row)}</Link>
        <span class="soft plain">{row.workflow}</span>
      </span>
    ),
  },
  {
    label: 'Occurs',
    kind: 'wide',
    cell: ({ rule, timezone }) => (
      <span class="two-lines">
        {ruleWords(rule)}
        <span class="soft">{zoneWords(timezone)}</span>
      </span>
    ),
  },
  { label: 'Status', kind: 'narrow', cell: (row) => <Status {...statusWord(row)} /> },
  {
    label: 'Next',
    cell: ({ next, timezone }) =>
      next && (
        <span class="two-lines">
          {occurrenceWords(next, timezone)}
          <span class="soft">
            <Ago at={next.at} />
          </span>
        </span>
      ),
  },
  {
    label: 'Last',
    kind: 'narrow',
    cell: ({ last }) =>
      last && (
        <span class="two-lines">
          <Status {...outcomeWord(last)} />
          <span class="soft">
            <Ago at={last.at} />
          </span>
        </span>
      ),
  },
];
