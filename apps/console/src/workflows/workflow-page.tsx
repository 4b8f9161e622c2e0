import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { ActionLink } from '../access/action-button.js';
import { HistoryLink } from '../ui/history-link.js';
import { typeLabel } from '../activity/words.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { Canvas, LookSwitch, useLook } from './canvas/index.js';
import { draftOf } from '../drafts/draft.js';
import { useApi } from '../session.js';
import { SelectField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { saveFile } from '../ui/save-file.js';
import { Loaded } from '../ui/states.js';
import { Ago } from '../ui/time.js';
import { PromoteLink } from '../environment/promote-link.js';
import { OverridesPanel } from './overrides-panel.js';
import { figuresCsv } from './figure-words.js';
import { StepCard } from './step-card.js';
import { PERIODS, useStepFigures } from './step-figures.js';
import { TriggerPanel } from './trigger-panel.js';
import { WorkflowActions } from './workflow-actions.js';
import { channelsWithoutIntegration, isChannel, type Step, type Workflow } from './workflow-words.js';
import { ActiveStatus, Tags } from './workflows-page.js';

/** Loads a workflow by the id in the address. */
export function useWorkflow(workflowId: string): ReturnType<typeof useQuery<Workflow>> {
  const api = useApi();
  return useQuery(`workflow ${workflowId}`, (signal) =>
    dataOf(api.GET('/v1/workflows/{workflowId}', { params: { path: { workflowId } }, signal })),
  );
}

/** A workflow as a picture of its steps, and how it is triggered. */
export function WorkflowPage(): VNode {
  const { workflowId = '' } = useParams<{ workflowId: string }>();
  const query = useWorkflow(workflowId);
  const workflow = query.data;
  return (
    <Page
      title={workflow?.name ?? 'Workflow'}
      above={<Link href="/workflows">← Workflows</Link>}
      actions={
        workflow && (
          <>
            <Link href={`/activity?workflow=${workflow._id}`}>View activity</Link>
            <Link href={`/workflows/${workflow._id}/versions`}>Versions</Link>
            <PromoteLink workflow={workflow.triggers[0]?.identifier} />
            <HistoryLink type="workflow" id={workflow._id} />
            <Link href={`/workflows/${workflow._id}/run`}>Run…</Link>
            <WorkflowActions workflow={workflow} onChanged={query.reload} />
            <ActionLink needs="updateWorkflow" class="button primary" href={`/workflows/${workflow._id}/edit`}>
              Edit
            </ActionLink>
          </>
        )
      }
    >
      <Loaded query={query}>{(found) => <Content workflow={found} />}</Loaded>
    </Page>
  );
}

function Content({ workflow }: { workflow: Workflow }): VNode {
  const lacking = channelsWithoutIntegration(workflow);
  return (
    <>
      {!workflow.active && (
        <p class="notice warn">
          The workflow is inactive: its triggers are accepted but create no notifications. Switch it on above.
        </p>
      )}
      {lacking.length > 0 && (
        <p class="notice warn">
          <span>
            No active integration for {lacking.map(typeLabel).join(', ')}: these steps will fail.{' '}
            <Link href="/integrations">View integrations</Link>
          </span>
        </p>
      )}
      <Facts workflow={workflow} />
      <div class="beside">
        <Steps workflow={workflow} />
        <TriggerPanel workflow={workflow} />
      </div>
      <OverridesPanel workflow={workflow} />
    </>
  );
}

function Steps({ workflow }: { workflow: Workflow }): VNode {
  const integrations = useActiveIntegrations();
  const [days, setDays] = useState('7');
  const figures = useStepFigures(workflow._id, Number(days));
  const off = workflow.steps.filter(({ active }) => !active).length;
  const [look, setLook] = useLook();
  const cardOf = (step: Step, at: number): VNode => (
    <StepCard
      key={step._id}
      number={at + 1}
      step={step}
      workflow={workflow}
      integrations={integrations}
      figures={figures?.steps.find(({ _id }) => _id === step._id)}
    />
  );
  return (
    <section aria-labelledby="steps-heading">
      <div class="flow-head">
        <h2 id="steps-heading">
          Steps{' '}
          <span class="soft">
            {workflow.steps.length}
            {off > 0 && `, ${off} off`}
          </span>
        </h2>
        <LookSwitch look={look} onLook={setLook} />
        <SelectField label="Figures" value={days} choices={PERIODS} onChange={setDays} />
        {figures && (
          <button
            type="button"
            onClick={() => saveFile(`${workflow.name} ${days} days.csv`, figuresCsv(figures.steps), 'text/csv')}
          >
            Save as CSV
          </button>
        )}
      </div>
      <p class="note flow-note">
        <Link href={`/workflows/${workflow._id}/compare`}>Compare two versions in figures</Link>
      </p>
      {figures?.isComplete === false && (
        <p class="note">
          The figures are of the newest notifications only, since <Ago at={figures.since} />.
        </p>
      )}
      {look === 'list' ? (
        <ol class="flow">{workflow.steps.map(cardOf)}</ol>
      ) : (
        <StepPicture workflow={workflow} figures={figures} cardOf={cardOf} />
      )}
    </section>
  );
}

interface PictureProps {
  readonly workflow: Workflow;
  readonly figures: Schemas['WorkflowFiguresResponse'] | undefined;
  readonly cardOf: (step: Step, at: number) => VNode;
}

/** The steps on a canvas, and all of the one that is chosen below it. */
function StepPicture({ workflow, figures, cardOf }: PictureProps): VNode {
  const [chosen, choose] = useState<string>();
  const steps = useMemo(() => draftOf(workflow).steps, [workflow]);
  const byId = useMemo(() => new Map(figures?.steps.map((one) => [one._id, one])), [figures]);
  const at = workflow.steps.findIndex(({ uuid }) => uuid === chosen);
  const step = workflow.steps[at];
  return (
    <>
      <Canvas
        steps={steps}
        trigger={workflow.triggers[0]?.identifier ?? ''}
        chosen={chosen}
        onChoice={choose}
        figures={byId}
      />
      {step ? (
        <ol class="flow panel">{cardOf(step, at)}</ol>
      ) : (
        <p class="note">Choose a step to see all of it. Drag to move the canvas; Ctrl and the wheel change its size.</p>
      )}
    </>
  );
}

function useActiveIntegrations(): readonly Schemas['IntegrationResponse'][] {
  const api = useApi();
  const { data } = useQuery('active integrations', (signal) => bodyOf(api.GET('/v1/integrations/active', { signal })));
  return data?.data ?? [];
}

function HoursFact({ workflow: { outsideSchedule, sendWindow } }: { workflow: Workflow }): VNode | null {
  if ((outsideSchedule ?? sendWindow) === undefined) return null;
  return (
    <div>
      <dt>Delivery hours</dt>
      <dd>
        {outsideSchedule === 'wait' ? 'Messages wait outside of them' : 'Messages are skipped outside of them'}
        {sendWindow && '; sent in the send window of the workflow only'}
      </dd>
    </div>
  );
}

function TrackingFact({ workflow: { tracking = {} } }: { workflow: Workflow }): VNode | null {
  const words = Object.entries(tracking).map(([kind, isOn]) => `${kind} are ${isOn ? 'followed' : 'not followed'}`);
  if (words.length === 0) return null;
  return (
    <div>
      <dt>Opens and clicks</dt>
      <dd>{words.join(', ')}</dd>
    </div>
  );
}

function Facts({ workflow }: { workflow: Workflow }): VNode {
  const { active, critical, hidden, severity, description, tags, preferenceSettings, notificationGroup, updatedAt } =
    workflow;
  const off = Object.entries(preferenceSettings).filter(([channel, isOn]) => isChannel(channel) && !isOn);
  return (
    <section class="panel">
      {description && <p class="description">{description}</p>}
      <dl class="facts">
        <div>
          <dt>Status</dt>
          <dd>
            <ActiveStatus isActive={active} />
          </dd>
        </div>
        <div>
          <dt>Preferences</dt>
          <dd>
            {critical ? 'Critical: subscribers cannot opt out' : 'Subscribers decide'}
            {hidden && '; hidden from subscribers'}
            {off.length > 0 && `; opt-in: ${off.map(([channel]) => typeLabel(channel)).join(', ')}`}
          </dd>
        </div>
        <HoursFact workflow={workflow} />
        <TrackingFact workflow={workflow} />
        {notificationGroup && (
          <div>
            <dt>Group</dt>
            <dd>{notificationGroup.name}</dd>
          </div>
        )}
        {severity && severity !== 'none' && (
          <div>
            <dt>Severity</dt>
            <dd>{severity}</dd>
          </div>
        )}
        {tags.length > 0 && (
          <div>
            <dt>Tags</dt>
            <dd>
              <Tags tags={tags} />
            </dd>
          </div>
        )}
        <div>
          <dt>Changed</dt>
          <dd>
            <Ago at={updatedAt} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
