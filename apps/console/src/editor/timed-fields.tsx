import type { VNode } from 'preact';
import { SelectField, TextField } from '../ui/fields.js';
import type { Metadata } from '../drafts/draft.js';
import { Check, LiveField } from './live-fields.js';

type Timed = NonNullable<Metadata['timed']>;
const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const ORDINALS = ['1', '2', '3', '4', '5', 'last'];

interface Props {
  readonly timed: Timed;
  /** Of the interval: it says which members are asked for. */
  readonly unit: unknown;
  readonly onTimed: (timed: Timed, about: string) => void;
}

/** The time of day and the days of a schedule that comes every few days, weeks or months. */
export function TimedFields({ timed, unit, onTimed }: Props): VNode {
  const change = (part: Partial<Timed>, about: string): void => onTimed({ ...timed, ...part }, about);
  return (
    <>
      {(unit === 'days' || unit === 'weeks' || unit === 'months') && (
        <LiveField
          label="At"
          path="atTime"
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
        path="monthlyType"
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
            path="ordinal"
            value={ordinal}
            choices={choicesOf(ORDINALS)}
            onChange={(value) => change({ ordinal: value as typeof ordinal }, 'ordinal')}
          />
          <SelectField
            label="Day"
            path="ordinalValue"
            value={ordinalValue}
            choices={choicesOf(['day', 'weekday', 'weekend', ...DAYS])}
            onChange={(value) => change({ ordinalValue: value as typeof ordinalValue }, 'ordinalValue')}
          />
        </div>
      ) : (
        <TextField
          label="Days"
          path="monthDays"
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
