import { defineError } from '#libs/http-kit';

export const SnoozeRefused = defineError(400, 'snooze_refused', (maxHours: number) =>
  maxHours === 0
    ? 'Notifications cannot be snoozed here: SNOOZE_MAX_HOURS is 0.'
    : `snoozeUntil must be in the future, at most ${maxHours} hours from now.`,
);
