import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { typeLabel } from '../activity/words.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { CHANNELS } from '../subscribers/preference-words.js';
import { Confirm } from '../ui/dialog.js';
import { SelectField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { Failed, Loaded } from '../ui/states.js';
import { useToast } from '../ui/toasts.js';
import type { Workflow } from './workflow-words.js';

type Override = Schemas['WorkflowOverrideResponse'];
type Tenant = Schemas['TenantResponse'];
type Switches = Partial<Override['preferenceSettings']>;

/** Of overrides, and of the tenants to choose from. */
const SHOWN = 100;

interface Known {
  readonly overrides: readonly Override[];
  readonly hasMore: boolean;
  readonly tenants: readonly Tenant[];
}

/** What the workflow does otherwise for single tenants. */
export function OverridesPanel({ workflow }: { workflow: Workflow }): VNode {
  const api = useApi();
  const [open, setOpen] = useState<Override | 'new'>();
  const query = useQuery(`overrides ${workflow._id}`, async (signal): Promise<Known> => {
    const asked = { page: 0, limit: SHOWN };
    const ofWorkflow = { query: { ...asked, workflowId: workflow._id } };
    const [overrides, tenants] = await Promise.all([
      bodyOf(api.GET('/v1/workflow-overrides', { params: ofWorkflow, signal })),
      bodyOf(api.GET('/v1/tenants', { params: { query: asked }, signal })),
    ]);
    return { overrides: overrides.data, hasMore: overrides.hasMore, tenants: tenants.data };
  });
  return (
    <section class="panel" aria-labelledby="overrides-heading">
      <h2 id="overrides-heading">Tenants</h2>
      <p class="note">
        What applies to a tenant instead of the settings of the workflow, if its events name the tenant.
      </p>
      <Loaded query={query}>
        {({ overrides, hasMore, tenants }) => (
          <>
            <ul class="found">
              {overrides.map((override) => (
                <li key={override._id}>
                  <strong>{nameOf(override._tenantId, tenants)}</strong> {wordsOf(override)}{' '}
                  <ActionButton
                    needs="updateWorkflowOverrideByPair"
                    class="small"
                    aria-label={`Change ${nameOf(override._tenantId, tenants)}`}
                    onClick={() => setOpen(override)}
                  >
                    Change…
                  </ActionButton>
                </li>
              ))}
            </ul>
            {hasMore && <p class="note">The newest {SHOWN} are shown.</p>}
            {tenants.length === 0 ? (
              <p class="note">There are no tenants.</p>
            ) : (
              <ActionButton needs="createWorkflowOverride" class="small" onClick={() => setOpen('new')}>
                Add tenant…
              </ActionButton>
            )}
            {open && (
              <OverrideDialog
                workflow={workflow}
                override={open === 'new' ? undefined : open}
                tenants={tenants}
                onClose={() => setOpen(undefined)}
                onDone={query.reload}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface DialogProps {
  readonly workflow: Workflow;
  readonly override: Override | undefined;
  readonly tenants: readonly Tenant[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function OverrideDialog({ workflow, override, tenants, onClose, onDone }: DialogProps): VNode {
  const api = useApi();
  const toast = useToast();
  const [failure, setFailure] = useState<Failure>();
  const { active, preferenceSettings: switches } = override ?? workflow;
  const save = async (form: FormData): Promise<void> => {
    const tenantId = override?._tenantId ?? textIn(form, 'tenant');
    const params = { path: { workflowId: workflow._id, tenantId } };
    const body = changesIn(form, { active, switches });
    if (Object.keys(body).length === 0) return toast('Nothing was changed.');
    if (override === undefined) await dataOf(api.POST('/v1/workflow-overrides', { body: { ...params.path, ...body } }));
    else await dataOf(api.PUT('/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}', { params, body }));
    toast('The setting of the tenant is saved.');
    onDone();
  };
  const remove = async (): Promise<void> => {
    const params = { path: { overrideId: override?._id ?? '' } };
    setFailure(undefined);
    try {
      await bodyOf(api.DELETE('/v1/workflow-overrides/{overrideId}', { params }));
    } catch (error) {
      return setFailure(toFailure(error));
    }
    toast('The workflow applies to the tenant as to all others.');
    onClose();
    onDone();
  };
  return (
    <Confirm
      title={override ? nameOf(override._tenantId, tenants) : 'Settings of a tenant'}
      action="Save"
      onClose={onClose}
      onConfirm={save}
    >
      {override === undefined && (
        <SelectField
          label="Tenant"
          name="tenant"
          value={tenants[0]?._id ?? ''}
          choices={tenants.map(({ _id, name, identifier }) => ({ value: _id, label: `${name} (${identifier})` }))}
        />
      )}
      <Box name="active" label="The workflow can be triggered" isOn={active} />
      {CHANNELS.map((channel) => (
        <Box key={channel} name={channel} label={typeLabel(channel)} isOn={switches[channel] !== false} />
      ))}
      {override && (
        <ActionButton needs="deleteWorkflowOverride" class="small danger" onClick={() => void remove()}>
          Use the settings of the workflow again
        </ActionButton>
      )}
      {failure && <Failed failure={failure} />}
    </Confirm>
  );
}

/** What is not sent stays that of the workflow, also when that changes. */
function changesIn(
  form: FormData,
  { active, switches }: { readonly active: boolean; readonly switches: Switches },
): { active?: boolean; preferenceSettings?: Switches } {
  const changed = CHANNELS.filter((channel) => form.has(channel) !== (switches[channel] !== false));
  return {
    ...(form.has('active') !== active && { active: form.has('active') }),
    ...(changed.length > 0 && {
      preferenceSettings: Object.fromEntries(changed.map((channel) => [channel, form.has(channel)])),
    }),
  };
}

function Box({ name, label, isOn }: { name: string; label: string; isOn: boolean }): VNode {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isOn} />
      <span>{label}</span>
    </label>
  );
}

function nameOf(id: string, tenants: readonly Tenant[]): string {
  return tenants.find(({ _id }) => _id === id)?.name ?? id;
}

function wordsOf({ active, preferenceSettings }: Override): string {
  if (!active) return 'cannot be triggered';
  const off = CHANNELS.filter((channel) => preferenceSettings[channel] === false);
  return off.length === 0 ? 'all channels' : `without ${off.map(typeLabel).join(', ')}`;
}
