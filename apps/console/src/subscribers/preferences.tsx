import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { workflowNames } from '../activity/workflow-names.js';
import { ActionFields } from '../access/action-button.js';
import { typeLabel } from '../activity/words.js';
import { bodyOf, type Schemas } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { type Query, useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Loaded } from '../ui/states.js';
import { useToast } from '../ui/toasts.js';
import { CHANNELS, type Channel, channelsIn, globalIn, ownSourceOf } from './preference-words.js';
import { QuietHours } from './quiet-hours.js';

type Settings = Schemas['PreferenceSettingsResponse'];

interface Shown {
  readonly global: Settings | undefined;
  readonly workflows: readonly Schemas['WorkflowPreferenceResponse'][];
}

/** The preferences of a subscriber, and what changes them. Without a workflow, the change is for all of them. */
function usePreferences(subscriberId: string): { query: Query<Shown>; change: Change } {
  const api = useApi();
  const toast = useToast();
  const path = { subscriberId };
  const query = useQuery(`preferences ${subscriberId}`, async (signal) => {
    const ofAll = { path: { ...path, levelOrWorkflowId: 'global' as const } };
    const [global, workflows] = await Promise.all([
      bodyOf(api.GET('/v1/subscribers/{subscriberId}/preferences/{levelOrWorkflowId}', { params: ofAll, signal })),
      bodyOf(api.GET('/v1/subscribers/{subscriberId}/preferences', { params: { path }, signal })),
    ]);
    return { global: globalIn(global.data), workflows: workflows.data };
  });
  const send = (workflowId: string | undefined, type: Channel | undefined, enabled: boolean): Promise<unknown> => {
    if (workflowId === undefined) {
      const body = type === undefined ? { enabled } : { preferences: [{ type, enabled }] };
      return bodyOf(api.PATCH('/v1/subscribers/{subscriberId}/preferences', { params: { path }, body }));
    }
    const body = type === undefined ? { enabled } : { channel: { type, enabled } };
    const params = { path: { ...path, levelOrWorkflowId: workflowId } };
    return bodyOf(api.PATCH('/v1/subscribers/{subscriberId}/preferences/{levelOrWorkflowId}', { params, body }));
  };
  const change: Change = async (workflowId, type, enabled) => {
    try {
      await send(workflowId, type, enabled);
      toast('The preference was changed.');
    } catch (error) {
      toast(toFailure(error).texts.join(' '), 'bad');
    }
    query.reload();
  };
  return { query, change };
}

type Change = (workflowId: string | undefined, type: Channel | undefined, enabled: boolean) => Promise<void>;

/** What the subscriber wants, for all workflows and for each. */
export function Preferences({ subscriberId }: { subscriberId: string }): VNode {
  const { query, change } = usePreferences(subscriberId);
  return (
    <section class="panel" aria-labelledby="preferences">
      <h2 id="preferences">Preferences</h2>
      <Loaded query={query}>
        {(shown) => (
          <ActionFields needs="updateWorkflowPreference">
            <PreferenceTable {...shown} change={change} />
          </ActionFields>
        )}
      </Loaded>
      <p class="note below">
        Changes take effect immediately, as if the subscriber had made them. A channel is used if both rows allow it.
      </p>
      {query.data?.global && (
        <QuietHours subscriberId={subscriberId} stored={query.data.global.schedule} onSaved={query.reload} />
      )}
    </section>
  );
}

function PreferenceTable({ global, workflows, change }: Shown & { change: Change }): VNode {
  const nameOf = workflowNames(workflows.map(({ template }) => template));
  return (
    <table class="preferences">
      <caption class="unseen">Which channels the subscriber accepts</caption>
      <thead>
        <tr>
          <th scope="col">For</th>
          <th scope="col">All</th>
          {CHANNELS.map((channel) => (
            <th key={channel} scope="col">
              {typeLabel(channel)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {global && (
          <Row
            title="All workflows"
            settings={global}
            onChange={(channel, enabled) => change(undefined, channel, enabled)}
          >
            <strong>All workflows</strong>
          </Row>
        )}
        {workflows.map(({ template, preference }) => (
          <Row
            key={template._id}
            title={nameOf(template)}
            settings={preference}
            isFixed={template.critical}
            onChange={(channel, enabled) => change(template._id, channel, enabled)}
          >
            <Link href={`/workflows/${template._id}`}>{nameOf(template)}</Link>
            {template.critical && <span class="soft"> critical, always delivered</span>}
          </Row>
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly title: string;
  readonly settings: Settings;
  readonly isFixed?: boolean;
  readonly children: ComponentChildren;
  readonly onChange: (channel: Channel | undefined, enabled: boolean) => Promise<void>;
}

function Row({ title, settings, isFixed = false, children, onChange }: RowProps): VNode {
  const used = channelsIn(settings);
  return (
    <tr>
      <th scope="row">{children}</th>
      <td data-label="All">
        <Switch
          label={`${title}: all channels`}
          isOn={settings.enabled}
          isFixed={isFixed}
          onChange={(enabled) => onChange(undefined, enabled)}
        />
      </td>
      {CHANNELS.map((channel) => (
        <td key={channel} data-label={typeLabel(channel)}>
          {used.includes(channel) && (
            <>
              <Switch
                label={`${title}: ${typeLabel(channel)}`}
                isOn={settings.channels[channel] === true}
                isFixed={isFixed}
                onChange={(enabled) => onChange(channel, enabled)}
              />
              {ownSourceOf(settings, channel) && <span class="soft source">{ownSourceOf(settings, channel)}</span>}
            </>
          )}
        </td>
      ))}
    </tr>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isFixed: boolean;
  readonly onChange: (isOn: boolean) => Promise<void>;
}

function Switch({ label, isOn, isFixed, onChange }: SwitchProps): VNode {
  const [isBusy, setBusy] = useState(false);
  const change = async (): Promise<void> => {
    setBusy(true);
    await onChange(!isOn);
    setBusy(false);
  };
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isOn}
      disabled={isBusy || isFixed}
      onClick={(event) => {
        // The box shows what is stored, not what was clicked.
        event.preventDefault();
        void change();
      }}
    />
  );
}
