import type { VNode } from 'preact';
import { SelectField } from '../ui/fields.js';
import { eventWaitWords, MESSAGE_EVENT_WORDS } from '../workflows/wait-words.js';
import type { Metadata } from '../drafts/draft.js';
import { LiveField } from './live-fields.js';

interface Props {
  readonly metadata: Metadata;
  readonly onMetadata: (metadata: Metadata, about: string) => void;
}

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const;
const OWN = '';
const ENDS = [
  { value: 'continue', label: 'Go on' },
  { value: 'stop', label: 'End here' },
];

/** What a step waits for, how long, and what it does then. */
export function EventWaitForm({ metadata, onMetadata }: Props): VNode {
  const { event = '', amount, unit, onMatch, onTimeout } = metadata;
  const isOfMessage = (event ?? '') in MESSAGE_EVENT_WORDS;
  const set = (change: Partial<Metadata>, about: string): void => onMetadata({ ...metadata, ...change }, about);
  const choose = (value: string): void => {
    const { match: _match, step: _step, ...kept } = metadata;
    onMetadata({ ...kept, event: value === OWN ? 'order.paid' : value }, 'event');
  };
  return (
    <fieldset class="form">
      <legend>Waits for</legend>
      <SelectField
        label="Event"
        path="event"
        value={isOfMessage ? (event ?? '') : OWN}
        choices={[
          ...Object.entries(MESSAGE_EVENT_WORDS).map(([value, words]) => ({ value, label: `A message is ${words}` })),
          { value: OWN, label: 'A signal of the application' },
        ]}
        onChange={choose}
      />
      {!isOfMessage && <SignalFields metadata={metadata} set={set} />}
      <div class="two-fields">
        <LiveField
          label="At most"
          path="amount"
          type="number"
          value={String(amount ?? '')}
          onInput={(value) => set({ amount: Number(value) }, 'amount')}
        />
        <SelectField
          label="Unit"
          path="unit"
          value={unit ?? 'minutes'}
          choices={UNITS.map((value) => ({ value, label: value }))}
          onChange={(value) => set({ unit: value as (typeof UNITS)[number] }, 'unit')}
        />
      </div>
      <div class="two-fields">
        <SelectField
          label="If it comes"
          value={onMatch ?? 'continue'}
          choices={ENDS}
          onChange={(value) => set({ onMatch: value as 'continue' | 'stop' }, 'onMatch')}
        />
        <SelectField
          label="If it does not"
          value={onTimeout ?? 'stop'}
          choices={ENDS}
          onChange={(value) => set({ onTimeout: value as 'continue' | 'stop' }, 'onTimeout')}
        />
      </div>
      <p class="note" aria-live="polite">
        {eventWaitWords(metadata)}.
      </p>
    </fieldset>
  );
}

interface SignalProps {
  readonly metadata: Metadata;
  readonly set: (change: Partial<Metadata>, about: string) => void;
}

/** The first comparison has fields; further ones are kept. */
function SignalFields({ metadata, set }: SignalProps): VNode {
  const { event = '', match } = metadata;
  const [first = { path: '', value: '' }, ...more] = match ?? [];
  const compare = (change: Partial<typeof first>): void => {
    const changed = { ...first, ...change };
    const isEmpty = changed.path === '' && changed.value === '';
    set({ match: isEmpty ? more : [changed, ...more] }, 'match');
  };
  return (
    <>
      <LiveField
        label="Name of the signal"
        path="event"
        isCode
        value={event ?? ''}
        placeholder="order.paid"
        note="As your application sends it with a signal."
        onInput={(value) => set({ event: value }, 'event')}
      />
      <div class="two-fields">
        <LiveField
          label="Its value at"
          path="match.0.path"
          isCode
          value={first.path}
          placeholder="order.id"
          note="Empty: the signal names the event or the subscriber."
          onInput={(path) => compare({ path })}
        />
        <LiveField
          label="Must be"
          path="match.0.value"
          isCode
          value={first.value}
          placeholder="{{order.id}}"
          onInput={(value) => compare({ value })}
        />
      </div>
    </>
  );
}
