import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { copiedSteps, draftOf, sentDraft } from '../drafts/draft.js';
import { newUuid } from '../drafts/new-uuid.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { RequiredField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { Failed, Loaded } from '../ui/states.js';
import { Ago } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import type { Workflow } from './workflow-words.js';

interface Props {
  readonly workflow: Workflow;
  readonly onChanged: () => void;
}

type Open = 'duplicate' | 'delete' | undefined;

/** Switches a workflow on and off, copies it and deletes it. */
export function WorkflowActions({ workflow, onChanged }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const [open, setOpen] = useState<Open>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { _id: workflowId, active } = workflow;
  const toggle = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const params = { path: { workflowId } };
      await dataOf(api.PUT('/v1/workflows/{workflowId}/status', { params, body: { active: !active } }));
      toast(active ? 'The workflow is off: its triggers create no notifications.' : 'The workflow is on.');
      onChanged();
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <>
      <ActionButton needs="updateWorkflowStatus" disabled={isBusy} onClick={() => void toggle()}>
        {active ? 'Switch off' : 'Switch on'}
      </ActionButton>
      <ActionButton needs="createWorkflow" onClick={() => setOpen('duplicate')}>
        Duplicate…
      </ActionButton>
      <ActionButton needs="deleteWorkflow" class="danger" onClick={() => setOpen('delete')}>
        Delete…
      </ActionButton>
      {failure && <Failed failure={failure} />}
      {open === 'duplicate' && <DuplicateDialog workflow={workflow} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <DeleteDialog workflow={workflow} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface DialogProps {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

function DuplicateDialog({ workflow, onClose }: DialogProps): VNode {
  const api = useApi();
  const [, navigate] = useLocation();
  const duplicate = async (form: FormData): Promise<void> => {
    const draft = draftOf(workflow);
    const { identifier: _own, ...content } = sentDraft({ ...draft, steps: copiedSteps(draft.steps, newUuid) });
    const body = {
      ...content,
      // The editor does not show it.
      ...(workflow.data !== undefined && { data: workflow.data }),
      name: textIn(form, 'name'),
      active: false,
      steps: content.steps ?? [],
    };
    const made = await dataOf(api.POST('/v1/workflows', { body }));
    navigate(`/workflows/${made._id}/edit`);
  };
  return (
    <Confirm title={`Duplicate “${workflow.name}”`} action="Duplicate" onClose={onClose} onConfirm={duplicate}>
      <p>The copy has the same steps and settings, a trigger identifier of its own, and is switched off.</p>
      <RequiredField label="Name" name="name" value={`${workflow.name} copy`} />
    </Confirm>
  );
}

interface Uses {
  readonly overrides: number;
  readonly hasMoreOverrides: boolean;
  readonly lastTrigger: string | undefined;
}

async function usesOf(api: ReturnType<typeof useApi>, workflowId: string, signal: AbortSignal): Promise<Uses> {
  const [overrides, notifications] = await Promise.all([
    bodyOf(api.GET('/v1/workflow-overrides', { params: { query: { limit: 100 } }, signal })),
    bodyOf(api.GET('/v1/notifications', { params: { query: { templates: [workflowId], limit: 1 } }, signal })),
  ]);
  const own = overrides.data.filter((one: Schemas['WorkflowOverrideResponse']) => one._workflowId === workflowId);
  return {
    overrides: own.length,
    hasMoreOverrides: overrides.hasMore,
    lastTrigger: notifications.data[0]?.createdAt,
  };
}

function DeleteDialog({ workflow, onClose }: DialogProps): VNode {
  const api = useApi();
  const toast = useToast();
  const [, navigate] = useLocation();
  const { _id: workflowId, name, triggers } = workflow;
  const query = useQuery(`uses ${workflowId}`, (signal) => usesOf(api, workflowId, signal));
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/workflows/{workflowId}', { params: { path: { workflowId } } }));
    toast(`The workflow “${name}” was deleted.`);
    navigate('/workflows');
  };
  return (
    <Confirm title={`Delete “${name}”?`} action="Delete workflow" isDangerous onClose={onClose} onConfirm={remove}>
      <p>
        Code that triggers <code>{triggers[0]?.identifier}</code> will be refused. Events that were already triggered
        continue, and what was sent stays in Activity.
      </p>
      <Loaded query={query}>
        {({ overrides, hasMoreOverrides, lastTrigger }) => (
          <ul class="uses">
            <li>
              {overrides === 0 && !hasMoreOverrides
                ? 'No tenant has settings of its own for it.'
                : `${overrides}${hasMoreOverrides ? ' or more' : ''} tenants have settings of their own for it, which are deleted as well.`}
            </li>
            <li>
              {lastTrigger === undefined ? (
                'It has no notifications.'
              ) : (
                <>
                  Its last notification began <Ago at={lastTrigger} />.
                </>
              )}
            </li>
          </ul>
        )}
      </Loaded>
    </Confirm>
  );
}
