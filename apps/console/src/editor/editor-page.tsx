import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link, useParams, useSearchParams } from 'wouter-preact';
import { refusalOf } from '../access/refusals.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { type Session, useApi, useSession } from '../session.js';
import { shortMomentOf } from '../durations.js';
import { LookSwitch, useLook } from '../workflows/canvas/index.js';
import { insertedAt, type Place } from '../drafts/places.js';
import { Page } from '../ui/page.js';
import { FaultScope, FaultsOf } from '../ui/fields.js';
import { Failed, Loaded } from '../ui/states.js';
import { useToast } from '../ui/toasts.js';
import { TestSend } from '../workflows/test-send.js';
import { sampleText } from '../workflows/trigger-panel.js';
import { useWorkflow } from '../workflows/workflow-page.js';
import { isChannel } from '../workflows/workflow-words.js';
import { objectOf } from '../ui/json-fault.js';
import { Conflict } from './conflict.js';
import type { References } from './content-form.js';
import { type Draft, draftOf, type DraftStep, sentDraft } from '../drafts/draft.js';
import { LivePreview, SampleForm, useLivePreview } from './live-preview.js';
import { ImpactPanel } from './impact.js';
import { newUuid } from '../drafts/new-uuid.js';
import { type PastEvent, pastEvents } from '../workflows/past-events.js';
import type { Sample } from './sample.js';
import { SaveBar } from './save-bar.js';
import { SettingsForm } from './settings-form.js';
import { StepForm } from './step-form.js';
import type { NewStep } from './step-kinds.js';
import { EditedSteps } from './edited-steps.js';
import { faultySteps, namedFailure, useGoToFault } from './step-faults.js';
import { suggestionsOf } from './suggestions.js';
import { type EditedDraft, useDraft } from './use-draft.js';

type Workflow = Schemas['WorkflowResponse'];

interface Surroundings extends References {
  readonly groups: readonly Schemas['NotificationGroupResponse'][];
  readonly past: readonly PastEvent[];
  readonly system: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Creates and changes the content of a workflow. */
export function EditorPage(): VNode {
  const { workflowId = '' } = useParams<{ workflowId: string }>();
  const workflow = useWorkflow(workflowId);
  const api = useApi();
  const around = useQuery(`surroundings ${workflowId}`, (signal) => surroundingsOf(api, workflowId, signal));
  const name = workflow.data?.name;
  return (
    <Page
      title={name === undefined ? 'Edit' : `Edit ${name}`}
      above={<Link href={`/workflows/${workflowId}`}>← {name ?? 'Workflow'}</Link>}
      actions={<Link href={`/workflows/${workflowId}/versions`}>Versions</Link>}
    >
      <Loaded query={workflow}>
        {(found) => <Loaded query={around}>{(known) => <Editor workflow={found} around={known} />}</Loaded>}
      </Loaded>
    </Page>
  );
}

async function surroundingsOf(api: Session['api'], workflowId: string, signal: AbortSignal): Promise<Surroundings> {
  const templates = [workflowId];
  const [groups, feeds, layouts, past, variables] = await Promise.all([
    dataOf(api.GET('/v1/notification-groups', { signal })),
    dataOf(api.GET('/v1/feeds', { signal })),
    bodyOf(api.GET('/v1/layouts', { params: { query: { pageSize: 100 } }, signal })),
    bodyOf(api.GET('/v1/notifications', { params: { query: { templates, limit: 20 } }, signal })),
    dataOf(api.GET('/v1/workflows/variables', { signal })),
  ]);
  const system = variables.system as Surroundings['system'];
  return { groups, feeds, layouts: layouts.data, past: pastEvents(past.data, shortMomentOf), system };
}

function Editor({ workflow, around }: { workflow: Workflow; around: Surroundings }): VNode {
  const session = useSession();
  const refusal = refusalOf('updateWorkflow', session);
  const edited = useDraft(workflow, session.environment._id);
  const [stored, setStored] = useState(workflow);
  const [sample, setSample] = useState<Sample>(() => firstSample(workflow, around.past));
  const { failure, isConflict, isBusy, save, closeConflict } = useSaving(workflow, edited, setStored);
  const { draft, change } = edited;
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get('step') ?? draft.steps[0]?.uuid;
  const at = draft.steps.findIndex(({ uuid }) => uuid === chosen);
  const step = chosen === 'settings' ? undefined : draft.steps[at];
  const choose = (uuid: string | undefined): void => setParameters({ step: uuid ?? 'settings' }, { replace: true });
  const setSteps = (steps: readonly DraftStep[], about: string): void => change({ ...draft, steps }, about);
  const add = (one: NewStep, place: Place): void => {
    const made = newStep(one, around.layouts.find(({ isDefault }) => isDefault)?._id);
    setSteps(insertedAt(draft.steps, made, place), 'add');
    choose(made.uuid);
  };
  const [look, setLook] = useLook();
  const faulty = faultySteps(draft.steps, failure);
  useGoToFault(failure, draft.steps, choose);
  useShortcuts(edited, refusal === undefined ? save : () => undefined);
  return (
    <>
      <SaveBar
        edited={edited}
        isBusy={isBusy}
        isActive={stored.active}
        onSave={save}
        onDiscard={() => change(draftOf(stored), 'discard')}
      />
      <Notices workflowId={workflow._id} edited={edited} failure={failure} />
      <FaultScope value={failure?.faults ?? []}>
        <div class="editor-look">
          <LookSwitch look={look} onLook={setLook} />
        </div>
        <div class={look === 'canvas' ? 'editor with-canvas' : 'editor'}>
          <EditedSteps {...{ draft, look, faulty, choose, setSteps, add }} chosen={step?.uuid} />
          {step ? (
            <FaultsOf path={`steps.${at}`}>
              <StepWork
                key={step.uuid}
                {...{ draft, at, around, stored, sample, setSample, setSteps, choose }}
                isChanged={edited.isChanged}
              />
            </FaultsOf>
          ) : (
            <SettingsForm draft={draft} groups={around.groups} onDraft={change} />
          )}
        </div>
      </FaultScope>
      {isConflict && (
        <Conflict workflowId={workflow._id} edited={edited} onClose={closeConflict} onStored={setStored} />
      )}
    </>
  );
}

interface NoticesProps {
  readonly workflowId: string;
  readonly edited: EditedDraft;
  readonly failure: Failure | undefined;
}

function Notices({ workflowId, edited, failure }: NoticesProps): VNode {
  return (
    <>
      <ImpactPanel workflowId={workflowId} draft={edited.draft} isChanged={edited.isChanged} />
      {edited.isRestored && (
        <p class="notice good" role="status">
          Your unsaved changes were restored.
        </p>
      )}
      {failure && <Failed failure={namedFailure(edited.draft.steps, failure)} />}
      {edited.draft.steps.length === 0 && (
        <p class="notice">
          The workflow has no steps yet. Add the first one: it can send a message, wait, or collect events.
        </p>
      )}
    </>
  );
}

/** @param layoutId of the default layout, which new emails have */
function newStep({ type, template, metadata = {} }: NewStep, layoutId: string | undefined): DraftStep {
  return {
    uuid: newUuid(),
    name: '',
    active: true,
    shouldStopOnFail: false,
    template: { ...template, type, ...(type === 'email' && layoutId !== undefined && { layoutId }) },
    filters: [],
    metadata,
    replyCallback: {},
    variants: [],
  };
}

interface Saving {
  readonly failure: Failure | undefined;
  readonly isConflict: boolean;
  readonly isBusy: boolean;
  readonly save: (note: string) => void;
  readonly closeConflict: () => void;
}

/** Saves a draft, unless the workflow has changed since it began. */
function useSaving({ _id }: Workflow, edited: EditedDraft, onSaved: (workflow: Workflow) => void): Saving {
  const api = useApi();
  const toast = useToast();
  const [failure, setFailure] = useState<Failure>();
  const [isConflict, setConflict] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { draft, version, load } = edited;
  const send = async (note: string): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const saved = await dataOf(
        api.PUT('/v1/workflows/{workflowId}', {
          params: { path: { workflowId: _id }, header: { 'If-Match': `"${version}"` } },
          body: { ...sentDraft(draft), ...(note !== '' && { note }) },
        }),
      );
      load(saved);
      onSaved(saved);
      toast(`Saved as version ${saved.__v}.`);
    } catch (error) {
      const found = toFailure(error);
      if (found.code === 'workflow_version_changed') setConflict(true);
      else setFailure(found);
    }
    setBusy(false);
  };
  return { failure, isConflict, isBusy, save: (note) => void send(note), closeConflict: () => setConflict(false) };
}

/** Ctrl or Cmd with S saves; with Z, undoes; with Shift and Z or with Y, does again. Text fields keep their own undo. */
function useShortcuts(edited: EditedDraft, save: (note: string) => void): void {
  const latest = useRef({ edited, save });
  latest.current = { edited, save };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      const key = event.key.toLowerCase();
      const { undo, redo, isChanged } = latest.current.edited;
      if (key === 's') {
        event.preventDefault();
        if (isChanged) latest.current.save('');
        return;
      }
      const [target] = event.composedPath();
      if (target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null) return;
      if (key === 'z' || key === 'y') {
        event.preventDefault();
        if (key === 'y' || event.shiftKey) redo();
        else undo();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

interface WorkProps {
  readonly draft: Draft;
  readonly at: number;
  readonly around: Surroundings;
  readonly stored: Workflow;
  readonly isChanged: boolean;
  readonly sample: Sample;
  readonly setSample: (sample: Sample) => void;
  readonly setSteps: (steps: readonly DraftStep[], about: string) => void;
  readonly choose: (uuid: string | undefined) => void;
}

/** A step with its preview beside it. */
function StepWork({ draft, at, around, stored, isChanged, sample, setSample, setSteps, choose }: WorkProps): VNode {
  const step = draft.steps[at] as DraftStep;
  const [open, setOpen] = useState<string>();
  const variant = step.variants.find(({ uuid }) => uuid === open);
  const isDigested = draft.steps.slice(0, at).some((one) => one.active && one.template.type === 'digest');
  const preview = useLivePreview({ workflowId: stored._id, step: variant ?? step, isDigested, sample });
  const { value: payload } = objectOf(sample.payload);
  const suggestions = useMemo(
    () =>
      suggestionsOf(
        payload ?? {},
        (stored.triggers[0]?.variables ?? []).map(({ name }) => name),
        around.system,
        draft.templateLanguage,
      ),
    [sample.payload, stored, around, draft.templateLanguage],
  );
  const storedStep = stored.steps.find(({ uuid }) => uuid === step.uuid);
  const storedVariant = variant && storedStep?.variants.find(({ uuid }) => uuid === variant.uuid);
  return (
    <>
      <StepForm
        steps={draft.steps}
        at={at}
        variant={open}
        references={around}
        payloads={around.past.map((event) => event.payload)}
        faults={preview.shown?.faults ?? []}
        suggestions={suggestions}
        onVariant={setOpen}
        onSteps={setSteps}
        onChoice={choose}
        onSample={(values) =>
          setSample({ ...sample, payload: JSON.stringify({ ...values, ...payload }, undefined, 2) })
        }
      />
      <div class="editor-side">
        <LivePreview query={preview} who={sample.subscriber || 'Ada'} />
        <SampleForm sample={sample} past={around.past} onSample={setSample} />
        {isChannel(step.template.type) && storedStep && (!variant || storedVariant) && (
          <TestSend
            workflow={stored}
            step={storedStep}
            sample={{
              ...(payload && { payload }),
              ...(sample.subscriber !== '' && { subscriber: sample.subscriber }),
              ...(sample.tenant !== '' && { tenant: sample.tenant }),
              ...(storedVariant && { variantId: storedVariant._id }),
            }}
            isFaulty={payload === undefined}
            isDraft={isChanged}
          />
        )}
        {isChannel(step.template.type) && !storedStep && (
          <p class="note">Save the workflow to send this step as a test.</p>
        )}
      </div>
    </>
  );
}

/** That of the last event, or values that are made up from the names. */
function firstSample(workflow: Workflow, past: readonly PastEvent[]): Sample {
  const [event] = past;
  if (event === undefined) return { payload: sampleText(workflow), subscriber: '', tenant: '', locale: '' };
  return {
    payload: JSON.stringify(event.payload, undefined, 2),
    subscriber: event.subscriberId ?? '',
    tenant: '',
    locale: '',
  };
}
