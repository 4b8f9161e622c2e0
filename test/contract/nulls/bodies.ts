import type { Json } from '../../support/answers.js';
import type { World } from './world.js';

/** Its nulls are data. */
export const FREE = { none: null, list: [null, { none: null }] };

/** Fields of a subscriber. */
export const PROFILE = {
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  phone: '+15551230100',
  avatar: 'https://example.com/a.png',
  locale: 'en-GB',
  timezone: 'Europe/Berlin',
  data: FREE,
};

export const scheduleBody = (world: World): Json => ({
  workflow: world.workflow.identifier,
  name: 'Weekly',
  subscribers: [world.subscriberId],
  topics: [world.topic],
  segments: [world.segment],
  payload: FREE,
  tenant: world.tenant,
  actor: world.subscriberId,
  rule: { frequency: 'weekly', interval: 2, days: ['monday'], hour: 9, minute: 30 },
  timezone: 'Europe/Berlin',
  startAt: '2099-01-31T09:00:00Z',
  endAt: '2099-12-31T09:00:00Z',
  missed: 'skip',
});

export const SCHEDULE = {
  isEnabled: true,
  weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } },
};
