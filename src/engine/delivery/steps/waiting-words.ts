import { sharedMetadata } from '#libs/schedule';
import { inForm } from '#libs/validation';

export const UNIT_LABELS = {
  seconds: 'seconds',
  minutes: 'minutes',
  hours: 'hours',
  days: 'days',
  weeks: 'weeks',
  months: 'months',
};

/** The zone of days, weeks, months and times of day, in the metadata of steps that wait. */
export const timezoneWord = inForm(
  sharedMetadata.timezone,
  {
    title: 'Time zone',
    help: "The clock that days and times of day follow, such as Europe/Berlin, or “subscriber” for the subscriber's own. Left empty, it is UTC.",
    default: 'UTC',
  },
  { description: sharedMetadata.timezone.description ?? '', example: 'Europe/Berlin' },
);

export const extendWord = inForm(sharedMetadata.extendToSchedule, {
  title: 'Wait for the delivery hours',
  help: "If the end is outside of the subscriber's delivery hours, go on waiting until they begin.",
});
