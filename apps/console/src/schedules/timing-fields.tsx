import type { VNode } from 'preact';
import { SelectField, TextField } from '../ui/fields.js';
import { DAYS, type Kind, KINDS, type ScheduleDraft } from './schedule-draft.js';

export type SetDraft = (change: Partial<ScheduleDraft>) => void;

interface Props {
  readonly draft: ScheduleDraft;
  readonly set: SetDraft;
}

const LABELS: Readonly<Record<Kind, string>> = {
  once: 'Once',
  hourly: 'Every hour',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
  cron: 'As cron says',
};
const UNITS: Readonly<Partial<Record<Kind, string>>> = {
  hourly: 'hours',
  daily: 'days',
  weekly: 'weeks',
  monthly: 'months',
};

/** When a schedule occurs. */
export function TimingFields({ draft, set }: Props): VNode {
  const { kind } = draft;
  return (
    <fieldset class="form">
      <legend>When</legend>
      <div class="two-fields">
        <SelectField
          label="Occurs"
          value={kind}
          choices={KINDS.map((value) => ({ value, label: LABELS[value] }))}
          onChange={(value) => set({ kind: KINDS.find((one) => one === value) ?? 'daily' })}
        />
        <RuleFields draft={draft} set={set} />
      </div>
      {kind === 'weekly' && <DayChecks draft={draft} set={set} />}
      <TextField
        label="Time zone"
        path="timezone"
        value={draft.timezone}
        placeholder="UTC"
        note="Such as Europe/Berlin, or “subscriber” for that of each subscriber."
        onChange={(timezone) => set({ timezone: timezone.trim() })}
      />
      <div class="date-fields">
        <TextField
          label={kind === 'once' ? 'At' : 'Not before'}
          type="datetime-local"
          value={draft.startAt}
          onChange={(startAt) => set({ startAt })}
        />
        {kind !== 'once' && (
          <TextField
            label="Not after"
            path="endAt"
            type="datetime-local"
            value={draft.endAt}
            onChange={(endAt) => set({ endAt })}
          />
        )}
      </div>
    </fieldset>
  );
}

function RuleFields({ draft, set }: Props): VNode {
  const { kind } = draft;
  const unit = UNITS[kind];
  const hasTime = kind === 'daily' || kind === 'weekly' || kind === 'monthly';
  return (
    <>
      {unit && (
        <TextField
          label={`Every how many ${unit}`}
          type="number"
          value={draft.interval}
          onChange={(interval) => set({ interval })}
        />
      )}
      {kind === 'hourly' && (
        <TextField label="Minute" type="number" value={draft.minute} onChange={(minute) => set({ minute })} />
      )}
      {kind === 'monthly' && (
        <TextField
          label="Day of the month"
          type="number"
          value={draft.dayOfMonth}
          placeholder="that of the start"
          onChange={(dayOfMonth) => set({ dayOfMonth })}
        />
      )}
      {hasTime && (
        <TextField label="Time of day" value={draft.time} placeholder="09:00" onChange={(time) => set({ time })} />
      )}
      {kind === 'cron' && (
        <TextField
          label="Cron"
          path="rule.cron"
          value={draft.cron}
          placeholder="30 9 * * mon-fri"
          onChange={(cron) => set({ cron })}
        />
      )}
    </>
  );
}

function DayChecks({ draft: { days }, set }: Props): VNode {
  const toggle = (day: (typeof DAYS)[number]): void =>
    set({ days: DAYS.filter((one) => (one === day) !== days.includes(one)) });
  return (
    <fieldset class="day-checks">
      <legend>On</legend>
      {DAYS.map((day) => (
        <label key={day} class="check">
          <input type="checkbox" checked={days.includes(day)} onChange={() => toggle(day)} />
          {day.slice(0, 3).replace(/^./, (letter) => letter.toUpperCase())}
        </label>
      ))}
    </fieldset>
  );
}
