const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in its two largest units: `1 min 5 s`. */
export function durationOf(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`;
  if (ms < HOUR) return joined(Math.floor(ms / MINUTE), 'min', Math.floor((ms % MINUTE) / SECOND), 's');
  if (ms < DAY) return joined(Math.floor(ms / HOUR), 'h', Math.floor((ms % HOUR) / MINUTE), 'min');
  return joined(Math.floor(ms / DAY), 'd', Math.floor((ms % DAY) / HOUR), 'h');
}

const joined = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

/** How long ago something was, or in how long it will be, in one unit. */
export function sinceOf(at: string, now: number): string {
  const ms = now - Date.parse(at);
  const text = roughly(Math.abs(ms));
  if (text === undefined) return 'just now';
  return ms >= 0 ? `${text} ago` : `in ${text}`;
}

function roughly(ms: number): string | undefined {
  if (ms < 5 * SECOND) return undefined;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Date and time in the zone of the browser: `1 Feb 2026, 13:05:09`. */
export function momentOf(at: string): string {
  return MOMENT.format(new Date(at));
}

/** `1 Feb, 13:05:09` */
export function shortMomentOf(at: string): string {
  return SHORT.format(new Date(at));
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The time of day: `13:05`. */
export function clockOf(at: string): string {
  return CLOCK.format(new Date(at));
}
