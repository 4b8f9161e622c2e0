import type { VNode } from 'preact';
import { type Day, DAYS, rangesOf, type Week, withDay, withRange } from './week.js';

interface Props {
  readonly week: Week;
  /** @param about what was changed, such as `monday start` */
  readonly onChange: (week: Week, about: string) => void;
}

const LAST_MINUTE = '23:59';

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
  const name = `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
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
        {open &&
          ranges.map((range, place) => (
            <div class="hours" key={place}>
              {(['start', 'end'] as const).map((edge) => (
                <input
                  key={edge}
                  type="time"
                  aria-label={`${name}, ${edge === 'start' ? 'from' : 'until'}${place > 0 ? `, ${place + 1}` : ''}`}
                  value={range[edge]}
                  onInput={({ currentTarget: { value } }) =>
                    onChange(withDay(week, day, withRange(open, place, { [edge]: value })), `${day} ${edge} ${place}`)
                  }
                />
              ))}
              {ranges.length > 1 && (
                <button
                  type="button"
                  class="small quiet"
                  aria-label={`Remove hours ${place + 1} of ${name}`}
                  onClick={() => onChange(withDay(week, day, withRange(open, place, { start: '', end: '' })), day)}
                >
                  Remove
                </button>
              )}
              {place === ranges.length - 1 && range.end !== '' && range.end < LAST_MINUTE && (
                <button
                  type="button"
                  class="small quiet"
                  aria-label={`More hours on ${name}`}
                  onClick={() =>
                    onChange(
                      withDay(week, day, withRange(open, ranges.length, { start: range.end, end: LAST_MINUTE })),
                      day,
                    )
                  }
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
