import { defineError } from '#libs/http-kit';

export const SnoozeOff = defineError(
  400,
  'snooze_refused',
  'Notifications cannot be snoozed here: SNOOZE_MAX_HOURS is 0.',
);

export const ButtonNotFound = defineError(
  400,
  'button_not_found',
  (type: string) => `The notification has no ${type} button.`,
  ['primary'],
);

export const SnoozeRefused = defineError(
  400,
  'snooze_refused',
  (maxHours: number) => `snoozeUntil must be in the future, at most ${maxHours} hours from now.`,
  [2160],
);
