import type { VNode } from 'preact';
import { SelectField } from '../ui/fields.js';
import { throttleWords } from '../workflows/wait-words.js';
import type { Metadata } from '../drafts/draft.js';
import { LiveField } from './live-fields.js';

interface Props {
  readonly metadata: Metadata;
  readonly onMetadata: (metadata: Metadata, about: string) => void;
}

const UNITS = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;

/** How many events of a subscriber go on to the next step, and in which time. */
export function ThrottleForm({ metadata, onMetadata }: Props): VNode {
  const { type = 'fixed', threshold, throttleKey, dynamicKey } = metadata;
  const set = (change: Partial<Metadata>, about: string): void => onMetadata({ ...metadata, ...change }, about);
  return (
    <fieldset class="form">
      <legend>Lets events through</legend>
      <LiveField
        label="At most"
        path="threshold"
        type="number"
        value={String(threshold ?? 1)}
        note="Events of one subscriber; further ones end at this step."
        onInput={(value) => set({ threshold: Number(value) }, 'threshold')}
      />
      <SelectField
        label="In which time"
        value={type ?? 'fixed'}
        choices={[
          { value: 'fixed', label: 'A time that is set here' },
          { value: 'dynamic', label: 'A time in the payload' },
        ]}
        onChange={(value) => set({ type: value as Metadata['type'] & string }, 'type')}
      />
      {type === 'dynamic' ? (
        <LiveField
          label="Time in the payload"
          path="dynamicKey"
          isCode
          value={dynamicKey ?? ''}
          placeholder="window"
          onInput={(value) => set({ dynamicKey: value }, 'dynamicKey')}
        />
      ) : (
        <Window metadata={metadata} set={set} />
      )}
      <LiveField
        label="Count separately by"
        path="throttleKey"
        isCode
        value={throttleKey ?? ''}
        placeholder="order.id"
        note="Path in the payload; empty: all events of the subscriber together."
        onInput={(value) => set({ throttleKey: value }, 'throttleKey')}
      />
      <p class="note" aria-live="polite">
        {throttleWords(metadata)}.
      </p>
    </fieldset>
  );
}

interface WindowProps {
  readonly metadata: Metadata;
  readonly set: (change: Partial<Metadata>, about: string) => void;
}

function Window({ metadata: { amount, unit }, set }: WindowProps): VNode {
  return (
    <div class="two-fields">
      <LiveField
        label="Within"
        path="amount"
        type="number"
        value={String(amount ?? '')}
        onInput={(value) => set({ amount: Number(value) }, 'amount')}
      />
      <SelectField
        label="Unit"
        path="unit"
        value={unit ?? 'hours'}
        choices={UNITS.map((value) => ({ value, label: value }))}
        onChange={(value) => set({ unit: value as (typeof UNITS)[number] }, 'unit')}
      />
    </div>
  );
}
