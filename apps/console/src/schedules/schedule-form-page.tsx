import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation, useParams, useSearchParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { useWorkflows } from '../activity/use-workflows.js';
import { dataOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { FaultScope, SelectField, TextField } from '../ui/fields.js';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import { Page } from '../ui/page.js';
import { Failed, Loaded } from '../ui/states.js';
import { useToast } from '../ui/toasts.js';
import { Occurrences } from './occurrences.js';
import { draftOf, type ScheduleDraft, sentOf, timingOf } from './schedule-draft.js';
import { type Schedule, titleOf } from './schedule-words.js';
import { choicesOf } from './schedules-page.js';
import { type SetDraft, TimingFields } from './timing-fields.js';

const MISSED = [
  { value: 'run_once', label: 'Run once' },
  { value: 'skip', label: 'Skip' },
];

/** A new schedule. */
export function NewSchedulePage(): VNode {
  const [parameters] = useSearchParams();
  return (
    <Page title="New schedule" above={<Link href="/schedules">← Schedules</Link>}>
      <ScheduleForm initial={draftOf(undefined, parameters.get('workflow') ?? '')} />
    </Page>
  );
}

/** The fields of a schedule that exists. */
export function EditSchedulePage(): VNode {
  const api = useApi();
  const { scheduleId = '' } = useParams<{ scheduleId: string }>();
  const query = useQuery(`edit schedule ${scheduleId}`, (signal) =>
    dataOf(api.GET('/v1/schedules/{scheduleId}', { params: { path: { scheduleId } }, signal })),
  );
  const title = query.data ? `Edit ${titleOf(query.data)}` : 'Edit schedule';
  return (
    <Page title={title} above={<Link href={`/schedules/${scheduleId}`}>← Schedule</Link>}>
      <Loaded query={query}>{(stored) => <ScheduleForm initial={draftOf(stored)} stored={stored} />}</Loaded>
    </Page>
  );
}

function ScheduleForm({ initial, stored }: { initial: ScheduleDraft; stored?: Schedule }): VNode {
  const api = useApi();
  const toast = useToast();
  const [, go] = useLocation();
  const [draft, setDraft] = useState(initial);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const set: SetDraft = (change) => setDraft((before) => ({ ...before, ...change }));
  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { _id } = await send(api, draft, stored);
      toast(stored ? 'The schedule is saved.' : 'The schedule is created.');
      return go(`/schedules/${_id}`);
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <form
      class="schedule-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="schedule-fields">
        <FaultScope value={failure?.faults ?? []}>
          <TimingFields draft={draft} set={set} />
          <EventFields draft={draft} set={set} />
        </FaultScope>
        {failure && <Failed failure={failure} />}
        <div>
          <ActionButton
            needs={stored ? 'updateSchedule' : 'createSchedule'}
            type="submit"
            class="primary"
            disabled={isBusy || objectOf(draft.payload).fault !== undefined}
          >
            {stored ? 'Save' : 'Create schedule'}
          </ActionButton>
        </div>
      </div>
      <Preview draft={draft} {...(stored && { stored })} />
    </form>
  );
}

function send(api: ReturnType<typeof useApi>, draft: ScheduleDraft, stored: Schedule | undefined): Promise<Schedule> {
  const body = sentOf(draft, stored);
  if (stored === undefined) return dataOf(api.POST('/v1/schedules', { body }));
  return dataOf(api.PATCH('/v1/schedules/{scheduleId}', { params: { path: { scheduleId: stored._id } }, body }));
}

/** What the rule means, while it is being made. */
function Preview({ draft, stored }: { draft: ScheduleDraft; stored?: Schedule }): VNode {
  const api = useApi();
  const body = timingOf(draft, stored);
  const query = useQuery(`preview ${JSON.stringify(body)}`, (signal) =>
    dataOf(api.POST('/v1/schedules/preview', { body, signal })),
  );
  return (
    <section class="panel" aria-live="polite">
      <h2>Next occurrences</h2>
      <Loaded query={query}>
        {(rows) => <Occurrences rows={rows} timezone={draft.timezone === '' ? undefined : draft.timezone} />}
      </Loaded>
    </section>
  );
}

function EventFields({ draft, set }: { draft: ScheduleDraft; set: SetDraft }): VNode {
  const workflows = choicesOf(useWorkflows());
  const isKnown = workflows.some(({ value }) => value === draft.workflow);
  const choices = isKnown ? workflows : [{ value: draft.workflow, label: draft.workflow || 'Choose…' }, ...workflows];
  return (
    <fieldset class="form">
      <legend>What it triggers</legend>
      <SelectField
        label="Workflow"
        path="workflow"
        value={draft.workflow}
        choices={choices}
        onChange={(workflow) => set({ workflow })}
      />
      <TextField
        label="Subscribers"
        path="subscribers"
        value={draft.subscribers}
        placeholder="ada, grace"
        note="Ids with commas in between."
        onChange={(subscribers) => set({ subscribers })}
      />
      <TextField
        label="Topics"
        path="topics"
        value={draft.topics}
        placeholder="team-sales"
        note="Keys. Their members at the time of each occurrence get it."
        onChange={(topics) => set({ topics })}
      />
      <div class="two-fields">
        <TextField
          label="Name"
          path="name"
          value={draft.name}
          placeholder="Weekly report"
          onChange={(name) => set({ name })}
        />
        <SelectField
          label="If no worker was there in time"
          value={draft.missed}
          choices={MISSED}
          onChange={(missed) => set({ missed: missed === 'skip' ? 'skip' : 'run_once' })}
        />
        <TextField label="Tenant" path="tenant" value={draft.tenant} onChange={(tenant) => set({ tenant })} />
        <TextField label="Actor" path="actor" value={draft.actor} onChange={(actor) => set({ actor })} />
      </div>
      <JsonEditor
        label="Payload"
        text={draft.payload}
        onText={(payload) => set({ payload })}
        note="Templates and conditions read it."
      />
    </fieldset>
  );
}
