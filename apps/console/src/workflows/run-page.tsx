import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { dataOf, type Schemas } from '../api/client.js';
import type { Failure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Empty, Failed, Loaded, Loading } from '../ui/states.js';
import { DryRunResult } from './dry-run-result.js';
import type { DryRun } from './dry-run-words.js';
import { DRY_RUN_QUERY, RunForm } from './run-form.js';
import { type Accepted, RunProgress } from './run-progress.js';
import { TimeLine, type Waits } from './time-line.js';
import { useWorkflow } from './workflow-page.js';
import type { Workflow } from './workflow-words.js';

/** What came of the form: what a trigger would do, or what one does. */
export type Outcome =
  { readonly dryRun: DryRun; readonly body: Schemas['DryRunEventDto'] } | { readonly accepted: Accepted };

/** Triggers a workflow, or shows what a trigger would do: for whom, step by step, and what decides. */
export function RunPage(): VNode {
  const { workflowId = '' } = useParams<{ workflowId: string }>();
  const query = useWorkflow(workflowId);
  return (
    <Page
      title={query.data ? `Run ${query.data.name}` : 'Run'}
      above={<Link href={`/workflows/${workflowId}`}>← {query.data?.name ?? 'Workflow'}</Link>}
    >
      <Loaded query={query}>{(workflow) => <Workbench workflow={workflow} />}</Loaded>
    </Page>
  );
}

function Workbench({ workflow }: { workflow: Workflow }): VNode {
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const output = useRef<HTMLDivElement>(null);
  const onOutcome = (found: Outcome): void => {
    setFailure(undefined);
    setOutcome(found);
    output.current?.focus({ preventScroll: window.innerWidth > 900 });
  };
  return (
    <div class="workbench">
      <div class="workbench-form">
        <RunForm
          workflow={workflow}
          isBusy={isBusy}
          onBusy={setBusy}
          onOutcome={onOutcome}
          onFailure={(found) => {
            setOutcome(undefined);
            setFailure(found);
          }}
        />
      </div>
      <div class="workbench-result" ref={output} tabIndex={-1} aria-busy={isBusy} aria-label="Result" role="region">
        {failure && <Failed failure={failure} />}
        {isBusy && outcome === undefined && <Loading />}
        {outcome && <Result outcome={outcome} workflow={workflow} />}
        {!outcome && !isBusy && !failure && (
          <Empty title="For whom?">
            <p>
              Enter a subscriber or a topic. A dry run shows when what would be sent, as it looks, and the conditions,
              preferences and integrations that apply; nothing is stored or sent. A run is real, and you can follow it
              here.
            </p>
          </Empty>
        )}
      </div>
    </div>
  );
}

function Result({ outcome, workflow }: { outcome: Outcome; workflow: Workflow }): VNode {
  if ('dryRun' in outcome) return <DryRunView {...outcome} workflow={workflow} />;
  return <RunProgress key={outcome.accepted.transactionId} accepted={outcome.accepted} />;
}

interface DryRunProps {
  readonly dryRun: DryRun;
  readonly body: Schemas['DryRunEventDto'];
  readonly workflow: Workflow;
}

/** A dry run as a time line and step by step, asked for again when an event is taken to happen. */
function DryRunView({ dryRun, body, workflow }: DryRunProps): VNode {
  const api = useApi();
  const [waits, setWaits] = useState<Waits>({});
  const [shown, setShown] = useState(dryRun);
  const { data, failure, isLoading } = useQuery(`dry run ${JSON.stringify(waits)}`, (signal) => {
    if (Object.keys(waits).length === 0) return Promise.resolve(dryRun);
    const asked = { body: { ...body, waits }, params: { query: DRY_RUN_QUERY }, signal };
    return dataOf(api.POST('/v1/events/trigger/dry-run', asked));
  });
  useEffect(() => {
    if (data !== undefined) setShown(data);
  }, [data]);
  useEffect(() => {
    setWaits({});
    setShown(dryRun);
  }, [dryRun]);
  return (
    <>
      {failure && <Failed failure={failure} />}
      <TimeLine result={shown} waits={waits} isBusy={isLoading} onWaits={setWaits} />
      <DryRunResult result={shown} workflow={workflow} />
    </>
  );
}
