import { z } from 'zod';
import { described } from '#libs/validation';
import { isZone, SUBSCRIBER_ZONE } from './calendar.js';

const MAX_ZONE_LENGTH = 255;
const WRONG_ZONE = `must be '${SUBSCRIBER_ZONE}' or a time zone, such as Europe/Berlin`;

export const zoneName = z
  .string({ error: WRONG_ZONE })
  .max(MAX_ZONE_LENGTH, { error: WRONG_ZONE })
  .refine((zone) => zone === SUBSCRIBER_ZONE || isZone(zone), { error: WRONG_ZONE });

export const timezone = described(zoneName.nullish(), {
  description:
    'Time zone of days, weeks, months and times of day, such as `Europe/Berlin`; `subscriber` for that of the subscriber. Default: UTC.',
  example: 'Europe/Berlin',
});
