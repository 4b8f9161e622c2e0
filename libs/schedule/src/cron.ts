import { Cron } from 'croner';

const FIELDS = 5;

/** Whether it is five fields of cron, and there is a time for them. */
export function isCron(text: string): boolean {
  if (text.trim().split(/\s+/).length !== FIELDS) return false;
  try {
    return parsed(text).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
}

/** Whether the hours are named; otherwise it is for every hour, or for each of so many. */
export function hasTimeOfDay(cron: string): boolean {
  const [, hours = '*'] = cron.trim().split(/\s+/);
  return !hours.includes('*');
}

/** Its times after a moment, in UTC. */
export function* timesOfCron(cron: string, after: Date): Generator<Date> {
  const rule = parsed(cron);
  for (let time = rule.nextRun(after); time !== null; time = rule.nextRun(time)) yield time;
}

/** It is not started: only its times are asked for. */
function parsed(cron: string): Cron {
  return new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true });
}
