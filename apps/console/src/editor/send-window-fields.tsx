import type { VNode } from 'preact';
import type { SendWindow } from '../drafts/draft.js';
import { Check, LiveField } from './live-fields.js';
import { type Day, DAYS, hoursOf, newWindow, withDay, withHours } from './send-window.js';

interface Props {
  readonly sendWindow: SendWindow | undefined;
  readonly onSendWindow: (sendWindow: SendWindow | undefined, about: string) => void;
}

/** The hours of the week in which messages may be sent. */
export function SendWindowFields({ sendWindow, onSendWindow }: Props): VNode {
  const set = (next: SendWindow | undefined, about: string): void => onSendWindow(next, `window ${about}`);
  return (
    <>
      <Check isOn={sendWindow !== undefined} onChange={(isOn) => set(isOn ? newWindow() : undefined, 'on')}>
        Send in certain hours only; until then, messages wait
      </Check>
      {sendWindow && (
        <>
          <LiveField
            label="Time zone of the hours"
            value={sendWindow.timezone ?? ''}
            placeholder="That of the subscriber"
            onInput={(timezone) => {
              const { timezone: _former, ...others } = sendWindow;
              set({ ...others, ...(timezone.trim() !== '' && { timezone: timezone.trim() }) }, 'timezone');
            }}
          />
          <div class="week-hours">
            {DAYS.map((day) => (
              <DayRow key={day} day={day} sendWindow={sendWindow} set={set} />
            ))}
          </div>
          <p class="note">
            A day without times is open as a whole. Hours that end before they begin end on the next day.
          </p>
        </>
      )}
    </>
  );
}

interface DayProps {
  readonly day: Day;
  readonly sendWindow: SendWindow;
  readonly set: (next: SendWindow, about: string) => void;
}

function DayRow({ day, sendWindow, set }: DayProps): VNode {
  const stored = sendWindow.weeklySchedule[day];
  const schedule = stored?.isEnabled ? stored : undefined;
  const name = `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
  const further = (schedule?.hours?.length ?? 0) - 1;
  return (
    <div class="week-day">
      <Check
        isOn={schedule !== undefined}
        onChange={(isOn) => set(withDay(sendWindow, day, isOn ? { ...stored, isEnabled: true } : undefined), day)}
      >
        {name}
      </Check>
      {schedule &&
        (['start', 'end'] as const).map((edge) => (
          <input
            key={edge}
            type="time"
            aria-label={`${name}, ${edge === 'start' ? 'from' : 'until'}`}
            value={hoursOf(schedule)[edge]}
            onInput={({ currentTarget: { value } }) =>
              set(withDay(sendWindow, day, withHours(schedule, { [edge]: value })), `${day} ${edge}`)
            }
          />
        ))}
      {further > 0 && <span class="note">and {further} more</span>}
    </div>
  );
}
