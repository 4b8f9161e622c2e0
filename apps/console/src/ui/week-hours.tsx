import type { VNode } from 'preact';
import { type Day, DAYS, type Range, rangesOf, type Week, withDay, withRange } from './week.js';

interface Props {
  readonly week: Week;
  /** @param about what was changed, such as `monday start` */
  readonly onChange: (week: Week, about: string) => void;
}

const LAST_MINUTE = '23:59';
const NONE: Range = { start: '', end: '' };

/** The hours of each day of a week. */
export function WeekHours({ week, onChange }: Props): VNode {
  return (
    <>
      <div class="week-hours">
        {DAYS.map((day) => (
          <DayRow key={day} day={day} week={week} onChange={onChange} />
        ))}
      </div>
      <p class="note">A day without times is open as a whole. Hours that end before they begin end on the next day.</p>
    </>
  );
}

function DayRow({ day, week, onChange }: Props & { day: Day }): VNode {
  const stored = week[day];
  const open = stored?.isEnabled ? stored : undefined;
  const ranges = open ? rangesOf(open) : [];
  const last = ranges.at(-1);
  const name = `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
  const set = (place: number, change: Partial<Range>, about: string): void =>
    onChange(withDay(week, day, withRange(open ?? { isEnabled: true }, place, change)), `${day} ${about}`);
  return (
    <div class="week-day" role="group" aria-label={name}>
      <label class="check">
        <input
          type="checkbox"
          checked={open !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            onChange(withDay(week, day, checked ? { ...stored, isEnabled: true } : undefined), day)
          }
        />
        <span>{name}</span>
      </label>
      <div>
        {ranges.map((range, place) => (
          <div class="hours" key={place}>
            <Hours
              range={range}
              label={name}
              place={place}
              onChange={(change, edge) => set(place, change, `${edge} ${place}`)}
            />
            {ranges.length > 1 && (
              <button
                type="button"
                class="small quiet"
                aria-label={`Remove hours ${place + 1} of ${name}`}
                onClick={() => set(place, NONE, 'remove')}
              >
                Remove
              </button>
            )}
            {range === last && range.end !== '' && range.end < LAST_MINUTE && (
              <button
                type="button"
                class="small quiet"
                aria-label={`More hours on ${name}`}
                onClick={() => set(ranges.length, { start: range.end, end: LAST_MINUTE }, 'add')}
              >
                More hours
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

interface HoursProps {
  readonly range: Range;
  readonly label: string;
  readonly place: number;
  readonly onChange: (change: Partial<Range>, edge: string) => void;
}

function Hours({ range, label, place, onChange }: HoursProps): VNode {
  const which = place > 0 ? `, ${place + 1}` : '';
  return (
    <>
      {(['start', 'end'] as const).map((edge) => (
        <input
          key={edge}
          type="time"
          aria-label={`${label}, ${edge === 'start' ? 'from' : 'until'}${which}`}
          value={range[edge]}
          onInput={({ currentTarget: { value } }) => onChange({ [edge]: value }, edge)}
        />
      ))}
    </>
  );
}
