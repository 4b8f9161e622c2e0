import type { VNode } from 'preact';
import { dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { share } from '../home/home-words.js';
import { useApi } from '../session.js';
import { type Column, Table } from '../ui/table.js';
import { figureWords, type StepFigures } from './figure-words.js';

const POLL_MS = 30_000;
type Arm = Schemas['ArmResponse'];

export const PERIODS = ['7', '30', '90'].map((value) => ({ value, label: `Last ${value} days` }));

/** What became of the steps of a workflow in so many days; undefined until it is known. */
export function useStepFigures(workflowId: string, days: number): Schemas['WorkflowFiguresResponse'] | undefined {
  const api = useApi();
  const { data } = useQuery(
    `step figures ${workflowId} ${days}`,
    (signal) => dataOf(api.GET('/v1/activity/steps', { params: { query: { workflow: workflowId, days } }, signal })),
    POLL_MS,
  );
  return data;
}

export function StepFiguresLine({ figures }: { figures: StepFigures }): VNode | null {
  const words = figureWords(figures);
  if (words.length === 0 && figures.arms === undefined) return null;
  return (
    <>
      <ul class="step-figures" aria-label="Figures">
        {words.map((word) => (
          <li key={word.name} class={word.name === 'Failed' ? 'bad-text' : undefined}>
            <strong>{word.value}</strong> <span class="soft">{word.name.toLowerCase()}</span>
            {word.share && <span class="soft"> {word.share}</span>}
          </li>
        ))}
      </ul>
      {figures.arms && figures.arms.length > 0 && (
        <Table caption="Arms" columns={ARM_COLUMNS} rows={figures.arms} keyOf={({ name }) => name} />
      )}
    </>
  );
}

const withShare = (count: number, { messages }: Arm): VNode => (
  <>
    {count.toLocaleString('en')} <span class="soft">{share(count, messages)}</span>
  </>
);

const ARM_COLUMNS: readonly Column<Arm>[] = [
  { label: 'Arm', kind: 'main', cell: ({ name }) => name },
  { label: 'Notifications', kind: 'number', cell: ({ runs }) => runs.toLocaleString('en') },
  { label: 'Messages', kind: 'number', cell: ({ messages }) => messages.toLocaleString('en') },
  { label: 'Seen', kind: 'number', cell: (arm) => withShare(arm.seen, arm) },
  { label: 'Clicked', kind: 'number', cell: (arm) => withShare(arm.clicked, arm) },
];
