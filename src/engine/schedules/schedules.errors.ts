import { defineError } from '#libs/http-kit';

export const ScheduleNotFound = defineError(
  404,
  'schedule_not_found',
  (id: string) => `This environment has no schedule with the id '${id}'. List them with GET /v1/schedules.`,
  ['{scheduleId}'],
);

export const ScheduleNeverOccurs = defineError(
  400,
  'schedule_never_occurs',
  () => 'Nothing would occur from now on. Send a startAt in the future, a rule, or a later endAt.',
  [],
);

export const ScheduleChangedMeanwhile = defineError(
  409,
  'schedule_changed_meanwhile',
  (id: string) => `The schedule '${id}' was changed at the same time. Send the request again.`,
  ['{scheduleId}'],
);
