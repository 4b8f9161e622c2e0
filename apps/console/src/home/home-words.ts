import type { Schemas } from '../api/client.js';
import { parametersOf, NO_FILTERS, type Filters } from '../activity/filters.js';

export type Summary = Schemas['ActivitySummaryResponse'];
export type Counts = Schemas['ActivityCountsResponse'];
type SummaryQuery = { readonly interval: Summary['interval']; readonly from?: string };

const DAY_MS = 86_400_000;

export const RANGES = [
  { range: '24h', label: 'Last 24 hours' },
  { range: '7d', label: 'Last 7 days' },
  { range: '30d', label: 'Last 30 days' },
] as const;
export type Range = (typeof RANGES)[number]['range'];

export function rangeOf(text: string | null): Range {
  return RANGES.find(({ range }) => range === text)?.range ?? '7d';
}

export function summaryQuery(range: Range, now: number): SummaryQuery {
  if (range === '24h') return { interval: 'hour' };
  return { interval: 'day', ...(range === '30d' && { from: new Date(now - 29 * DAY_MS).toISOString() }) };
}

/** The period before, of the same length. */
export function formerQuery(range: Range, now: number): Required<SummaryQuery> & { readonly to: string } {
  const days = { '24h': 1, '7d': 7, '30d': 30 }[range];
  const { interval } = summaryQuery(range, now);
  // The last interval of the period before ends where the first one of this period begins.
  const step = interval === 'hour' ? 3_600_000 : DAY_MS;
  const begin = Math.floor(now / step) * step + step - days * DAY_MS;
  return {
    interval,
    from: new Date(begin - days * DAY_MS).toISOString(),
    to: new Date(begin - 1).toISOString(),
  };
}

/** The list behind a figure: what was created in a period, which has no end where it ends now. */
export function listAddress(filters: Partial<Filters>, from: string, to?: string): string {
  const period = { from: localMoment(from), ...(to !== undefined && { to: localMoment(to) }) };
  return `/activity?${new URLSearchParams(parametersOf({ ...NO_FILTERS, ...filters, ...period }))}`;
}

/** As fields of the type `datetime-local` have it. */
function localMoment(at: string): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Days are those of UTC, hours those of the browser. */
export function intervalName(at: string, interval: Summary['interval']): string {
  return (interval === 'day' ? DAY : HOUR).format(new Date(at));
}

/** When an interval ends. */
export function endOf(at: string, interval: Summary['interval']): string {
  return new Date(Date.parse(at) + (interval === 'day' ? DAY_MS : 3_600_000)).toISOString();
}

/** How many of the messages came so far. Many providers tell nothing of that: then zero is no figure. */
export function reported(
  part: number,
  { sent, bounced }: Pick<Counts, 'sent' | 'bounced'>,
): { readonly value: string; readonly note?: string } {
  if (part === 0 && sent > 0 && bounced === 0) return { value: 'not reported' };
  return { value: part.toLocaleString('en'), note: share(part, sent) };
}

/** Nothing of nothing is no share. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '';
  if (part === 0) return '0 %';
  const percent = (100 * part) / whole;
  return percent < 0.1 ? '< 0.1 %' : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** Counting ends at 10,000. */
export function upTo(count: number): string {
  return `${count.toLocaleString('en')}${count === 10_000 ? '+' : ''}`;
}

/** What the chart of a channel shows, for those who cannot see it. */
export function volumeWords(name: string, { sent, failed }: Pick<Counts, 'sent' | 'failed'>, label: string): string {
  return `${name}: ${sent.toLocaleString('en')} sent and ${failed.toLocaleString('en')} failed. ${label}.`;
}
