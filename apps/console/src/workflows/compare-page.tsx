import type { VNode } from 'preact';
import { Link, useParams, useSearchParams } from 'wouter-preact';
import { typeLabel } from '../activity/words.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { share } from '../home/home-words.js';
import { shortMomentOf } from '../durations.js';
import { type Session, useApi } from '../session.js';
import { SelectField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { saveFile } from '../ui/save-file.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { comparedCsv, type ComparedStep, comparedSteps, pointsOf, type StepFigures } from './figure-words.js';
import { PERIODS } from './step-figures.js';
import { useWorkflow } from './workflow-page.js';
import { isChannel } from './workflow-words.js';

type Version = Schemas['WorkflowVersionResponse'];
type Figures = Schemas['WorkflowFiguresResponse'];

/** What became of each step in two versions of a workflow, side by side. */
export function ComparePage(): VNode {
  const { workflowId = '' } = useParams<{ workflowId: string }>();
  const api = useApi();
  const { data: workflow } = useWorkflow(workflowId);
  const versions = useQuery(`versions to compare ${workflowId}`, (signal) => {
    const params = { path: { workflowId }, query: { limit: 100 } };
    return bodyOf(api.GET('/v1/workflows/{workflowId}/versions', { params, signal }));
  });
  return (
    <Page
      title={workflow ? `Versions of ${workflow.name} in figures` : 'Versions in figures'}
      above={<Link href={`/workflows/${workflowId}`}>← {workflow?.name ?? 'Workflow'}</Link>}
      actions={<Link href={`/workflows/${workflowId}/versions`}>Versions</Link>}
    >
      <Loaded query={versions}>
        {({ data }) =>
          data.length < 2 ? (
            <Empty title="There is only one version">
              <p>Each save makes one. Notifications keep the version with which their event was accepted.</p>
            </Empty>
          ) : (
            <Choice workflowId={workflowId} name={workflow?.name ?? workflowId} versions={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface ChoiceProps {
  readonly workflowId: string;
  readonly name: string;
  /** Newest first. */
  readonly versions: readonly Version[];
}

function Choice({ workflowId, name, versions }: ChoiceProps): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const value = (key: string, usual: number | undefined): string => parameters.get(key) ?? String(usual);
  const first = value('first', versions[1]?.version);
  const second = value('second', versions[0]?.version);
  const days = value('days', 30);
  const set = (key: string) => (chosen: string) =>
    setParameters({ first, second, days, [key]: chosen }, { replace: true });
  const choices = versions.map((one) => ({ value: String(one.version), label: labelOf(one) }));
  const query = useQuery(`compared ${workflowId} ${first} ${second} ${days}`, (signal) =>
    bothOf(api, { workflow: workflowId, days: Number(days), versions: [Number(first), Number(second)] }, signal),
  );
  return (
    <>
      <div class="filters">
        <SelectField label="Version" value={first} choices={choices} onChange={set('first')} />
        <SelectField label="Compared with" value={second} choices={choices} onChange={set('second')} />
        <SelectField label="Period" value={days} choices={PERIODS} onChange={set('days')} />
      </div>
      <Loaded query={query}>{(figures) => <Comparison name={name} figures={figures} />}</Loaded>
    </>
  );
}

function labelOf({ version, isCurrent, savedAt, note }: Version): string {
  const words = [isCurrent && 'current', shortMomentOf(savedAt), note].filter(Boolean).join(', ');
  return `${version} (${words})`;
}

interface Asked {
  readonly workflow: string;
  readonly days: number;
  readonly versions: readonly [number, number];
}

async function bothOf(
  api: Session['api'],
  { workflow, days, versions }: Asked,
  signal: AbortSignal,
): Promise<readonly [Figures, Figures]> {
  const figuresOf = (version: number): Promise<Figures> =>
    dataOf(api.GET('/v1/activity/steps', { params: { query: { workflow, days, version } }, signal }));
  // One after the other: each may read many notifications.
  return [await figuresOf(versions[0]), await figuresOf(versions[1])];
}

function Comparison({ name, figures }: { name: string; figures: readonly [Figures, Figures] }): VNode {
  const [first, second] = figures;
  const versions: readonly [number, number] = [first.version ?? 0, second.version ?? 0];
  const steps = comparedSteps(first.steps, second.steps);
  return (
    <>
      {!(first.isComplete && second.isComplete) && (
        <p class="note">
          The figures are of the newest notifications only, since <Ago at={second.since} />.
        </p>
      )}
      <Table
        caption={`Steps in version ${versions[0]} and in version ${versions[1]}`}
        columns={columnsOf(versions)}
        rows={steps}
        keyOf={({ uuid }) => uuid}
      />
      <p class="below">
        <button
          type="button"
          onClick={() => saveFile(`${name} ${versions.join(' and ')}.csv`, comparedCsv(steps, versions), 'text/csv')}
        >
          Save as CSV
        </button>
      </p>
    </>
  );
}

const SHARES = { Delivered: 'delivered', Seen: 'seen', Clicked: 'clicked' } as const;

function columnsOf(versions: readonly [number, number]): readonly Column<ComparedStep>[] {
  const pair = (label: string, cell: (step: ComparedStep, place: 0 | 1) => VNode | string): Column<ComparedStep>[] =>
    ([0, 1] as const).map((place) => ({
      label: `${label} v${versions[place]}`,
      kind: 'number',
      cell: (step) => (step.figures[place] === undefined ? '–' : cell(step, place)),
    }));
  const count = (of: (figures: StepFigures) => number) => (step: ComparedStep, place: 0 | 1) => {
    const figures = step.figures[place];
    return figures === undefined ? '' : of(figures).toLocaleString('en');
  };
  return [
    {
      label: 'Step',
      kind: 'main',
      cell: ({ name, type }) => (
        <span>
          {name} <span class="soft">{typeLabel(type) !== name && typeLabel(type)}</span>
        </span>
      ),
    },
    ...pair(
      'Done',
      count(({ type, messages, completed }) => (isChannel(type) ? messages : completed)),
    ),
    ...Object.entries(SHARES).flatMap(([label, key]) =>
      pair(label, (step, place) => <Share step={step} place={place} of={key} />),
    ),
    ...pair(
      'Failed',
      count(({ failed }) => failed),
    ),
  ];
}

interface ShareProps {
  readonly step: ComparedStep;
  readonly place: 0 | 1;
  readonly of: (typeof SHARES)[keyof typeof SHARES];
}

/** In the second version with the difference, in points. */
function Share({ step: { figures }, place, of }: ShareProps): VNode {
  const own = figures[place];
  const points = place === 1 ? pointsOf(figures, of) : undefined;
  if (own === undefined || own.messages === 0) return <>–</>;
  return (
    <span>
      {own[of].toLocaleString('en')} {own[of] > 0 && <span class="soft">{share(own[of], own.messages)}</span>}{' '}
      {points !== undefined && <strong title="Points of per cent, compared with the first version">{points}</strong>}
    </span>
  );
}
