import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { useWorkflows } from '../activity/use-workflows.js';
import { workflowNames } from '../activity/workflow-names.js';
import type { Schemas } from '../api/client.js';
import { timeToSend } from '../health/health-words.js';
import { type Column, Table } from '../ui/table.js';
import { listAddress, share, type Summary } from './home-words.js';

type Row = Schemas['WorkflowActivityResponse'];

/** The name of a workflow, which leads to it. */
function useNameColumn(): Column<Row> {
  const nameOf = workflowNames(useWorkflows());
  return {
    label: 'Workflow',
    kind: 'main',
    cell: ({ _id, name }) =>
      name === undefined ? <code>{_id}</code> : <Link href={`/workflows/${_id}`}>{nameOf({ _id, name })}</Link>,
  };
}

export function WorstWorkflows({ summary: { worst, from } }: { summary: Summary }): VNode {
  const name = useNameColumn();
  const columns: Column<Row>[] = [
    name,
    { label: 'Share', kind: 'number', cell: ({ failedRuns, runs }) => share(failedRuns, runs) },
    {
      label: 'Failed',
      kind: 'number',
      cell: ({ _id, failedRuns }) => (
        <Link href={listAddress({ workflow: _id, status: 'failed' }, from)}>{failedRuns.toLocaleString('en')}</Link>
      ),
    },
    all(from),
  ];
  return (
    <section class="home-section" aria-labelledby="worst">
      <h2 id="worst">Workflows that fail most</h2>
      {worst.length === 0 ? (
        <p class="note">No notification has failed.</p>
      ) : (
        <Table caption="Workflows that fail most" columns={columns} rows={worst} keyOf={({ _id }) => _id} />
      )}
    </section>
  );
}

export function SlowestWorkflows({ summary: { slowest, from } }: { summary: Summary }): VNode {
  const name = useNameColumn();
  const columns: Column<Row>[] = [
    name,
    { label: 'Median', kind: 'number', cell: ({ medianMs }) => timeToSend(medianMs) },
    { label: '95th percentile', kind: 'number', cell: ({ p95Ms }) => timeToSend(p95Ms) },
    all(from),
  ];
  return (
    <section class="home-section" aria-labelledby="slowest">
      <h2 id="slowest">Slowest workflows</h2>
      {slowest.length === 0 ? (
        <p class="note">Nothing was sent.</p>
      ) : (
        <Table caption="Slowest workflows" columns={columns} rows={slowest} keyOf={({ _id }) => _id} />
      )}
    </section>
  );
}

function all(from: string): Column<Row> {
  return {
    label: 'Notifications',
    kind: 'number',
    cell: ({ _id, runs }) => <Link href={listAddress({ workflow: _id }, from)}>{runs.toLocaleString('en')}</Link>,
  };
}
