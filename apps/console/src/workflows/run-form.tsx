import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf } from '../api/client.js';
import { type Failure, NO_CONNECTION, toFailure } from '../api/failure.js';
import { newIdempotencyKey } from '../api/new-key.js';
import { useQuery } from '../api/use-query.js';
import { shortMomentOf } from '../durations.js';
import { useApi, useSession } from '../session.js';
import { Field, SelectField, TextField } from '../ui/fields.js';
import { objectOf } from '../ui/json-fault.js';
import { keepPayload } from './kept-payload.js';
import { type PastEvent, pastEvents } from './past-events.js';
import { PayloadForm } from './payload-form.js';
import { recipientsOf } from './recipients.js';
import type { Outcome } from './run-page.js';
import { sampleText } from './trigger-panel.js';
import type { Workflow } from './workflow-words.js';

export const DRY_RUN_QUERY = { limit: 20 } as const;

interface Props {
  readonly workflow: Workflow;
  readonly isBusy: boolean;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onFailure: (failure: Failure) => void;
}

export function RunForm({ workflow, isBusy, onBusy, onOutcome, onFailure }: Props): VNode {
  const { rehearse, run } = useCalls();
  const [subscribers, setSubscribers] = useState('');
  const [topics, setTopics] = useState('');
  const [tenant, setTenant] = useState('');
  const [payload, setPayload] = useState(() => sampleText(workflow));
  const [skipWaits, setSkipWaits] = useState(false);
  const { value } = objectOf(payload);
  const to = recipientsOf(subscribers, topics);
  const isReady = !isBusy && value !== undefined && to.length > 0;
  const send = async (ask: (body: TriggerBody) => Promise<Outcome>): Promise<void> => {
    if (value === undefined || !isReady) return;
    keepPayload(workflow._id, payload);
    onBusy(true);
    try {
      const name = workflow.triggers[0]?.identifier ?? workflow._id;
      onOutcome(
        await ask({ name, to, payload: value, ...(tenant !== '' && { tenant }), ...(skipWaits && { skipWaits }) }),
      );
    } catch (error) {
      onFailure(toFailure(error));
    }
    onBusy(false);
  };
  const take = (event: PastEvent): void => {
    setPayload(JSON.stringify(event.payload, undefined, 2));
    if (event.subscriberId !== undefined) setSubscribers(event.subscriberId);
  };
  return (
    <form
      class="panel form"
      onSubmit={(event) => {
        event.preventDefault();
        void send(rehearse);
      }}
    >
      <PastEventField workflow={workflow} onEvent={take} />
      <Lines
        label="Subscribers"
        note="One id per line. Unknown ids become new subscribers."
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
      <PayloadForm workflow={workflow} text={payload} onText={setPayload} />
      <WaitsChoice isOn={skipWaits} onChange={setSkipWaits} />
      <Buttons isBusy={isBusy} isReady={isReady} onRun={() => void send(run)} />
      <p class="note">{to.length === 0 ? 'Enter a subscriber or a topic.' : 'A run sends real messages.'}</p>
    </form>
  );
}

interface ButtonsProps {
  readonly isBusy: boolean;
  readonly isReady: boolean;
  readonly onRun: () => void;
}

function Buttons({ isBusy, isReady, onRun }: ButtonsProps): VNode {
  return (
    <div class="buttons">
      <ActionButton needs="dryRunEvent" type="submit" disabled={!isReady}>
        {isBusy ? 'Running…' : 'Start dry run'}
      </ActionButton>{' '}
      <ActionButton needs="triggerEvent" class="primary" disabled={!isReady} onClick={onRun}>
        Run
      </ActionButton>
    </div>
  );
}

interface TriggerBody {
  name: string;
  to: ReturnType<typeof recipientsOf>;
  payload: Record<string, unknown>;
  tenant?: string;
  skipWaits?: true;
}

interface ChoiceProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** In production, people would get at once what is meant for later. */
function WaitsChoice({ isOn, onChange }: ChoiceProps): VNode {
  const isProduction = useSession().environment._parentId !== undefined;
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={isProduction}
          aria-describedby="waits-note"
          onChange={(event) => onChange(event.currentTarget.checked)}
        />{' '}
        Do not wait
      </label>
      <p class="note" id="waits-note">
        {isProduction
          ? 'Not in production, where people would get at once what is meant for later.'
          : 'Delays, digests, waits for events and delivery hours are passed at once, for this run only.'}
      </p>
    </div>
  );
}

type Call = (body: TriggerBody) => Promise<Outcome>;

function useCalls(): { readonly rehearse: Call; readonly run: Call } {
  const api = useApi();
  const unanswered = useRef<{ readonly text: string; readonly key: string }>();
  const rehearse: Call = async (body) => ({
    dryRun: await dataOf(api.POST('/v1/events/trigger/dry-run', { body, params: { query: DRY_RUN_QUERY } })),
    body,
  });
  // Without an answer, a run may have begun all the same: the same one again is no second one.
  const run: Call = async (body) => {
    const text = JSON.stringify(body);
    const sent = unanswered.current?.text === text ? unanswered.current : { text, key: newIdempotencyKey() };
    unanswered.current = sent;
    try {
      const params = { header: { 'Idempotency-Key': sent.key } };
      const accepted = await dataOf(api.POST('/v1/events/trigger', { body, params }));
      unanswered.current = undefined;
      return { accepted };
    } catch (error) {
      if (toFailure(error).status !== NO_CONNECTION.status) unanswered.current = undefined;
      throw error;
    }
  };
  return { rehearse, run };
}

interface PastEventProps {
  readonly workflow: Workflow;
  readonly onEvent: (event: PastEvent) => void;
}

/** Fills the form as a past event had it. */
function PastEventField({ workflow, onEvent }: PastEventProps): VNode | null {
  const api = useApi();
  const [chosen, choose] = useState('');
  const query = { templates: [workflow._id], limit: 20 };
  const { data } = useQuery(`past events of ${workflow._id}`, (signal) =>
    bodyOf(api.GET('/v1/notifications', { params: { query }, signal })),
  );
  const past = pastEvents(data?.data ?? [], shortMomentOf);
  if (past.length === 0) return null;
  return (
    <SelectField
      label="Past event"
      value={chosen}
      choices={[{ value: '', label: 'None: the values below' }, ...past.map(({ id, label }) => ({ value: id, label }))]}
      onChange={(id) => {
        choose(id);
        const event = past.find((one) => one.id === id);
        if (event !== undefined) onEvent(event);
      }}
    />
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
