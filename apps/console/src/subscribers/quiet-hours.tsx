import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton, ActionFields } from '../access/action-button.js';
import { bodyOf, type Schemas } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useApi } from '../session.js';
import { useToast } from '../ui/toasts.js';
import { workWeek } from '../ui/week.js';
import { WeekHours } from '../ui/week-hours.js';

type Schedule = Schemas['SubscriberSchedule'];

interface Props {
  readonly subscriberId: string;
  readonly stored: Schedule | undefined;
  readonly onSaved: () => void;
}

/** @returns what stores a schedule, and whether it is at it */
function useSaving({ subscriberId, onSaved }: Omit<Props, 'stored'>): [(schedule: Schedule) => Promise<void>, boolean] {
  const api = useApi();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const save = async (schedule: Schedule): Promise<void> => {
    setBusy(true);
    try {
      const params = { path: { subscriberId } };
      await bodyOf(api.PATCH('/v1/subscribers/{subscriberId}/preferences', { params, body: { schedule } }));
      onSaved();
      toast('The hours were saved.');
    } catch (error) {
      toast(toFailure(error).texts.join(' '), 'bad');
    }
    setBusy(false);
  };
  return [save, isBusy];
}

/** When the subscriber accepts messages. */
export function QuietHours({ subscriberId, stored, onSaved }: Props): VNode {
  const [draft, setDraft] = useState<Schedule>();
  const { isEnabled, weeklySchedule: week = {} } = draft ?? stored ?? { isEnabled: false };
  const leave = (): void => setDraft(undefined);
  const [save, isBusy] = useSaving({
    subscriberId,
    onSaved: () => {
      leave();
      onSaved();
    },
  });
  return (
    <form
      class="below"
      onSubmit={(event) => {
        event.preventDefault();
        void save({ isEnabled, weeklySchedule: week });
      }}
    >
      <ActionFields needs="updateGlobalPreference">
        <label class="check">
          <input
            type="checkbox"
            checked={isEnabled}
            onChange={({ currentTarget: { checked } }) =>
              setDraft({
                isEnabled: checked,
                weeklySchedule: checked && Object.keys(week).length === 0 ? workWeek() : week,
              })
            }
          />
          <span>Messages in certain hours only, except in-app and critical ones</span>
        </label>
        {isEnabled && <WeekHours week={week} onChange={(weeklySchedule) => setDraft({ isEnabled, weeklySchedule })} />}
      </ActionFields>
      {isEnabled && (
        <p class="note">
          In the time zone of the subscriber, or UTC without one. The workflow decides whether messages outside of the
          hours are skipped or wait.
        </p>
      )}
      {draft && (
        <div class="button-line">
          <ActionButton needs="updateGlobalPreference" type="submit" class="primary" disabled={isBusy}>
            Save hours
          </ActionButton>
          <button type="button" disabled={isBusy} onClick={leave}>
            Discard
          </button>
        </div>
      )}
    </form>
  );
}
