import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { Status, StatusMark } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';
import { Ago, Moment } from '../ui/time.js';
import { reasonLine } from './explain.js';
import type { LiveRow } from './live-rows.js';
import type { workflowNames } from './workflow-names.js';
import { jobWord, type Notification, notificationWord, typeLabel } from './words.js';

interface Props {
  readonly rows: readonly LiveRow<Notification>[];
  readonly isBusy: boolean;
  readonly nameOf: ReturnType<typeof workflowNames>;
}

export function NotificationTable({ rows, isBusy, nameOf }: Props): VNode {
  return (
    <Table
      caption="Notifications, newest first"
      columns={columnsOf(nameOf)}
      rows={rows}
      keyOf={({ row }) => row._id}
      classOf={({ isGone }) => (isGone ? 'gone' : undefined)}
      isBusy={isBusy}
    />
  );
}

const columnsOf = (nameOf: Props['nameOf']): readonly Column<LiveRow<Notification>>[] => [
  {
    label: 'Time',
    kind: 'narrow',
    cell: ({ row }) => (
      <span class="two-lines">
        <Moment at={row.createdAt} isShort />
        <span class="soft">
          <Ago at={row.createdAt} />
        </span>
      </span>
    ),
  },
  {
    label: 'Workflow',
    kind: 'main',
    cell: ({ row }) => (
      <span class="two-lines">
        <Link href={`/notifications/${row._id}`}>{row.template ? nameOf(row.template) : 'Deleted workflow'}</Link>
        <span class="soft plain">
          {row.transactionId}
          {row.isTest && ' · test'}
        </span>
      </span>
    ),
  },
  {
    label: 'Subscriber',
    cell: ({ row: { subscriber } }) => (
      <span class="two-lines">
        <span>{subscriber?.subscriberId}</span>
        <span class="soft">{[subscriber?.firstName, subscriber?.lastName].filter(Boolean).join(' ')}</span>
      </span>
    ),
  },
  { label: 'Steps', cell: ({ row }) => <Steps jobs={row.jobs} /> },
  {
    label: 'Status',
    kind: 'wide',
    cell: ({ row, isGone }) => (
      <span class="two-lines">
        <Status {...notificationWord(row)} />
        <span class="reason">{isGone ? 'No longer matches the filters' : reasonLine(row)}</span>
      </span>
    ),
  },
];

function Steps({ jobs }: Pick<Notification, 'jobs'>): VNode {
  return (
    <ul class="steps">
      {jobs.map((job) => {
        const { tone, label } = jobWord(job);
        return (
          <li key={job._id} class={`step ${tone}`} title={`${typeLabel(job.type)}: ${label}`}>
            <StatusMark tone={tone} />
            {typeLabel(job.type)}
            <span class="unseen">: {label}</span>
          </li>
        );
      })}
    </ul>
  );
}
