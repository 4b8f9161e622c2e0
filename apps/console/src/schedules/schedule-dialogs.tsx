import type { VNode } from 'preact';
import { useLocation } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { dataOf, bodyOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { useToast } from '../ui/toasts.js';
import { recipientWords, type Schedule } from './schedule-words.js';

interface Props {
  readonly schedule: Schedule;
  readonly onClose: () => void;
}

export function RunDialog({ schedule, onClose }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const run = async (): Promise<void> => {
    const params = { path: { scheduleId: schedule._id } };
    const { status, hint } = await dataOf(api.POST('/v1/schedules/{scheduleId}/run', { params }));
    toast(status === 'processed' ? 'The workflow is triggered.' : `Not triggered: ${plainWords(hint ?? status)}`);
  };
  return (
    <Confirm title="Run this schedule now" action="Run now" onClose={onClose} onConfirm={run}>
      <p>
        {schedule.workflow} is triggered now for {recipientWords(schedule)}. The occurrences that follow stay as they
        are.
      </p>
    </Confirm>
  );
}

export function PauseDialog({ schedule, onClose, onDone }: Props & { onDone: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const isPaused = schedule.status === 'paused';
  const change = async (): Promise<void> => {
    const params = { path: { scheduleId: schedule._id } };
    const path = isPaused ? '/v1/schedules/{scheduleId}/resume' : '/v1/schedules/{scheduleId}/pause';
    await dataOf(api.POST(path, { params }));
    toast(isPaused ? 'The schedule is resumed.' : 'The schedule is paused.');
    onDone();
  };
  return (
    <Confirm
      title={isPaused ? 'Resume this schedule' : 'Pause this schedule'}
      action={isPaused ? 'Resume' : 'Pause'}
      onClose={onClose}
      onConfirm={change}
    >
      <p>
        {isPaused
          ? 'It goes on with the next occurrence. What would have occurred during the pause does not.'
          : 'Nothing occurs until you resume it. What would have occurred in the meantime does not.'}
      </p>
    </Confirm>
  );
}

export function DeleteDialog({ schedule, onClose }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const [, go] = useLocation();
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/schedules/{scheduleId}', { params: { path: { scheduleId: schedule._id } } }));
    toast('The schedule is deleted.');
    go('/schedules');
  };
  return (
    <Confirm title="Delete this schedule" action="Delete" isDangerous onClose={onClose} onConfirm={remove}>
      <p>Nothing occurs any more. What it has triggered stays, and goes on.</p>
    </Confirm>
  );
}
