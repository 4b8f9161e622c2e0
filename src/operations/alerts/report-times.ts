import { nextOccurrence } from '#libs/schedule';
import type { AlertSettings } from './alerts.schema.js';

/** Absent without a daily report. */
export function nextReport({ kinds, reportAt, timezone }: AlertSettings, now: Date): Date | undefined {
  if (!kinds.includes('daily_report')) return undefined;
  const [hour = 0, minute = 0] = reportAt.split(':').map(Number);
  return nextOccurrence({ zone: timezone, startAt: now, rule: { frequency: 'daily', hour, minute } }, now);
}
