import type { VNode } from 'preact';
import { SelectField, TextField } from '../ui/fields.js';
import { delayWords, digestWords } from '../workflows/wait-words.js';
import type { Metadata } from '../drafts/draft.js';
import { Check, LiveField } from './live-fields.js';

interface Props {
  readonly kind: 'delay' | 'digest';
  readonly metadata: Metadata;
  readonly onMetadata: (metadata: Metadata, about: string) => void;
}

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
type Unit = (typeof UNITS)[number];
const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const DELAYS = [
  { value: 'regular', label: 'For a time' },
  { value: 'scheduled', label: 'Until a date in the payload' },
];
const DIGESTS = [
  { value: 'regular', label: 'For a time after the first event' },
  { value: 'backoff', label: 'Only if events follow each other closely' },
  { value: 'timed', label: 'Until a time of day' },
];

/** How long a delay or digest waits. */
export function WaitForm({ kind, metadata, onMetadata }: Props): VNode {
  const set = (change: Partial<Metadata>, about: string): void =>
    onMetadata(withoutUndefined({ ...metadata, ...change }), about);
  const { type = 'regular' } = metadata;
  return (
    <fieldset class="form">
      <legend>{kind === 'delay' ? 'Waits' : 'Collects events'}</legend>
      <SelectField
        label="How"
        path="type"
        value={type}
        choices={kind === 'delay' ? DELAYS : DIGESTS}
        onChange={(value) => set(typeChange(value), 'type')}
      />
      {type === 'scheduled' ? (
        <LiveField
          label="Date in the payload"
          path="delayPath"
          isCode
          value={metadata.delayPath ?? ''}
          placeholder="order.sendAt"
          onInput={(value) => set({ delayPath: value }, 'delayPath')}
        />
      ) : (
        <Span
          label={type === 'timed' ? 'Every' : 'For'}
          path="amount"
          amount={metadata.amount}
          unit={metadata.unit}
          units={type === 'timed' ? UNITS.slice(1) : UNITS}
          onSpan={(amount, unit) => set({ amount, unit }, 'span')}
        />
      )}
      {type === 'backoff' && (
        <Span
          label="Collect if another event came within"
          path="backoffAmount"
          amount={metadata.backoffAmount}
          unit={metadata.backoffUnit}
          units={UNITS}
          onSpan={(backoffAmount, backoffUnit) => set({ backoffAmount, backoffUnit }, 'backoff')}
        />
      )}
      {type === 'timed' && <TimedForm metadata={metadata} set={set} />}
      {kind === 'digest' && <DigestKey metadata={metadata} set={set} />}
      <OfSubscriber metadata={metadata} set={set} />
      <p class="note" aria-live="polite">
        {kind === 'delay' ? delayWords(metadata) : digestWords(metadata)}.
      </p>
    </fieldset>
  );
}

function DigestKey({ metadata, set }: Pick<TimedProps, 'metadata' | 'set'>): VNode {
  return (
    <LiveField
      label="Separate digests by"
      path="digestKey"
      isCode
      value={metadata.digestKey ?? ''}
      placeholder="order.id"
      note="Path in the payload; empty: one digest for each subscriber."
      onInput={(value) => set({ digestKey: value }, 'digestKey')}
    />
  );
}

function OfSubscriber({ metadata, set }: Pick<TimedProps, 'metadata' | 'set'>): VNode {
  return (
    <>
      <LiveField
        label="Time zone"
        value={metadata.timezone ?? ''}
        placeholder="UTC"
        note="Such as Europe/Berlin, or “subscriber” for that of the subscriber."
        onInput={(value) => set({ timezone: value === '' ? undefined : value }, 'timezone')}
      />
      <Check
        isOn={metadata.extendToSchedule === true}
        onChange={(isOn) => set({ extendToSchedule: isOn || undefined }, 'extendToSchedule')}
      >
        End within the subscriber's delivery hours
      </Check>
    </>
  );
}

/** What another way to wait needs to begin with. */
function typeChange(type: string): Partial<Metadata> {
  const chosen = { type: type as Metadata['type'] & string };
  if (type === 'backoff') return { ...chosen, backoffAmount: 5, backoffUnit: 'minutes' };
  if (type === 'timed') return { ...chosen, amount: 1, unit: 'days', timed: { atTime: '09:00' } };
  return chosen;
}

function withoutUndefined(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}

interface SpanProps {
  readonly label: string;
  readonly path: string;
  readonly amount: number | null | undefined;
  readonly unit: string | null | undefined;
  readonly units: readonly Unit[];
  readonly onSpan: (amount: number, unit: Unit) => void;
}

function Span({ label, path, amount, unit, units, onSpan }: SpanProps): VNode {
  const known = units.find((one) => one === unit) ?? 'minutes';
  return (
    <div class="two-fields">
      <LiveField
        label={label}
        path={path}
        type="number"
        value={String(amount ?? '')}
        onInput={(value) => onSpan(Number(value), known)}
      />
      <SelectField
        label="Unit"
        value={known}
        choices={choicesOf(units)}
        onChange={(value) => onSpan(amount ?? 1, value as Unit)}
      />
    </div>
  );
}

type Timed = NonNullable<Metadata['timed']>;
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const ORDINALS = ['1', '2', '3', '4', '5', 'last'];

interface TimedProps {
  readonly metadata: Metadata;
  readonly set: (change: Partial<Metadata>, about: string) => void;
}

function TimedForm({ metadata, set }: TimedProps): VNode {
  const timed: Timed = metadata.timed ?? {};
  const { unit } = metadata;
  const change = (part: Partial<Timed>, about: string): void => set({ timed: { ...timed, ...part } }, about);
  return (
    <>
      {(unit === 'days' || unit === 'weeks' || unit === 'months') && (
        <LiveField
          label="At"
          type="time"
          value={timed.atTime ?? ''}
          onInput={(atTime) => change({ atTime }, 'atTime')}
        />
      )}
      {unit === 'weeks' && (
        <fieldset class="days">
          <legend>On</legend>
          {DAYS.map((day) => (
            <Check
              key={day}
              isOn={timed.weekDays?.includes(day) === true}
              onChange={(isOn) =>
                change({ weekDays: DAYS.filter((one) => (one === day ? isOn : timed.weekDays?.includes(one))) }, 'days')
              }
            >
              {day.charAt(0).toUpperCase() + day.slice(1)}
            </Check>
          ))}
        </fieldset>
      )}
      {unit === 'months' && <Monthly timed={timed} change={change} />}
    </>
  );
}

function Monthly({ timed, change }: { timed: Timed; change: (part: Partial<Timed>, about: string) => void }): VNode {
  const { monthlyType = 'each', monthDays = [], ordinal = '1', ordinalValue = 'day' } = timed;
  return (
    <>
      <SelectField
        label="On"
        value={monthlyType}
        choices={[
          { value: 'each', label: 'days of the month' },
          { value: 'on', label: 'a certain day' },
        ]}
        onChange={(value) =>
          change(value === 'on' ? { monthlyType: 'on', ordinal, ordinalValue } : { monthlyType: 'each' }, 'monthly')
        }
      />
      {monthlyType === 'on' ? (
        <div class="two-fields">
          <SelectField
            label="Which"
            value={ordinal}
            choices={choicesOf(ORDINALS)}
            onChange={(value) => change({ ordinal: value as typeof ordinal }, 'ordinal')}
          />
          <SelectField
            label="Day"
            value={ordinalValue}
            choices={choicesOf(['day', 'weekday', 'weekend', ...DAYS])}
            onChange={(value) => change({ ordinalValue: value as typeof ordinalValue }, 'ordinalValue')}
          />
        </div>
      ) : (
        <TextField
          label="Days"
          value={monthDays.join(', ')}
          placeholder="1, 15"
          note="From 1 to 31, separated by commas."
          onChange={(value) => change({ monthDays: daysIn(value) }, 'monthDays')}
        />
      )}
    </>
  );
}

function daysIn(text: string): number[] {
  const days = text.split(/[,\s]+/).map(Number);
  return days.filter((day) => Number.isInteger(day) && day >= 1 && day <= 31);
}
