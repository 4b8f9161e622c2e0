import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { dataOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useApi } from '../session.js';
import { Field, TextField } from '../ui/fields.js';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import { Page } from '../ui/page.js';
import { Empty, Failed, Loaded, Loading } from '../ui/states.js';
import { DryRunResult } from './dry-run-result.js';
import type { DryRun } from './dry-run-words.js';
import { recipientsOf } from './recipients.js';
import { sampleText } from './trigger-panel.js';
import { useWorkflow } from './workflow-page.js';
import type { Workflow } from './workflow-words.js';

/** What a trigger would do: for whom, step by step, and what decides. */
export function DryRunPage(): VNode {
  const { workflowId = '' } = useParams<{ workflowId: string }>();
  const query = useWorkflow(workflowId);
  return (
    <Page
      title={query.data ? `Dry run of ${query.data.name}` : 'Dry run'}
      above={<Link href={`/workflows/${workflowId}`}>← {query.data?.name ?? 'Workflow'}</Link>}
    >
      <Loaded query={query}>{(workflow) => <Workbench workflow={workflow} />}</Loaded>
    </Page>
  );
}

function Workbench({ workflow }: { workflow: Workflow }): VNode {
  const [result, setResult] = useState<DryRun>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const output = useRef<HTMLDivElement>(null);
  const onResult = (found: DryRun): void => {
    setFailure(undefined);
    setResult(found);
    output.current?.focus({ preventScroll: window.innerWidth > 900 });
  };
  return (
    <div class="workbench">
      <div class="workbench-form">
        <TriggerForm
          workflow={workflow}
          isBusy={isBusy}
          onBusy={setBusy}
          onResult={onResult}
          onFailure={(found) => {
            setResult(undefined);
            setFailure(found);
          }}
        />
      </div>
      <div
        class="workbench-result"
        ref={output}
        tabIndex={-1}
        aria-busy={isBusy}
        aria-label="Dry run result"
        role="region"
      >
        {failure && <Failed failure={failure} />}
        {isBusy && result === undefined && <Loading />}
        {result ? (
          <DryRunResult result={result} workflow={workflow} />
        ) : (
          !isBusy &&
          failure === undefined && (
            <Empty title="What would this trigger do?">
              <p>
                Enter recipients, then start the dry run. It shows step by step what would be sent, and the conditions,
                preferences and integrations that apply. Nothing is stored or sent.
              </p>
            </Empty>
          )
        )}
      </div>
    </div>
  );
}

interface FormProps {
  readonly workflow: Workflow;
  readonly isBusy: boolean;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onResult: (result: DryRun) => void;
  readonly onFailure: (failure: Failure) => void;
}

function TriggerForm({ workflow, isBusy, onBusy, onResult, onFailure }: FormProps): VNode {
  const api = useApi();
  const [subscribers, setSubscribers] = useState('');
  const [topics, setTopics] = useState('');
  const [tenant, setTenant] = useState('');
  const [payload, setPayload] = useState(() => sampleText(workflow));
  const { value, fault } = objectOf(payload);
  const to = recipientsOf(subscribers, topics);
  const run = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (value === undefined || to.length === 0) return;
    onBusy(true);
    try {
      const name = workflow.triggers[0]?.identifier ?? workflow._id;
      const body = { name, to, payload: value, ...(tenant !== '' && { tenant }) };
      onResult(await dataOf(api.POST('/v1/events/trigger/dry-run', { body, params: { query: { limit: 20 } } })));
    } catch (error) {
      onFailure(toFailure(error));
    }
    onBusy(false);
  };
  return (
    <form class="panel form" onSubmit={(event) => void run(event)}>
      <Lines
        label="Subscribers"
        note="One id per line. Unknown ids count as new subscribers."
        value={subscribers}
        onValue={setSubscribers}
      />
      <Lines label="Topics" note="One key per line." value={topics} onValue={setTopics} />
      <TextField
        label="Tenant identifier"
        placeholder="None"
        value={tenant}
        onChange={(text) => setTenant(text.trim())}
      />
      <JsonEditor label="Payload" text={payload} onText={setPayload} />
      <div>
        <button type="submit" class="primary" disabled={isBusy || fault !== undefined || to.length === 0}>
          {isBusy ? 'Running…' : 'Start dry run'}
        </button>
        {to.length === 0 && <p class="note">Enter a subscriber or a topic.</p>}
      </div>
    </form>
  );
}

interface LinesProps {
  readonly label: string;
  readonly note: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Lines({ label, note, value, onValue }: LinesProps): VNode {
  return (
    <Field label={label} note={note}>
      {(id, describedBy) => (
        <textarea
          id={id}
          rows={Math.min(Math.max(value.split('\n').length, 1), 8)}
          value={value}
          spellcheck={false}
          autocomplete="off"
          aria-describedby={describedBy}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
