import type { VNode } from 'preact';
import type { SendWindow } from '../drafts/draft.js';
import { workWeek } from '../ui/week.js';
import { WeekHours } from '../ui/week-hours.js';
import { Check, LiveField } from './live-fields.js';

interface Props {
  readonly sendWindow: SendWindow | undefined;
  readonly onSendWindow: (sendWindow: SendWindow | undefined, about: string) => void;
}

/** The hours of the week in which messages may be sent. */
export function SendWindowFields({ sendWindow, onSendWindow }: Props): VNode {
  const set = (next: SendWindow | undefined, about: string): void => onSendWindow(next, `window ${about}`);
  return (
    <>
      <Check
        isOn={sendWindow !== undefined}
        onChange={(isOn) => set(isOn ? { weeklySchedule: workWeek() } : undefined, 'on')}
      >
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
          <WeekHours
            week={sendWindow.weeklySchedule}
            onChange={(weeklySchedule, about) => set({ ...sendWindow, weeklySchedule }, about)}
          />
        </>
      )}
    </>
  );
}
