import { badValue } from '../errors.js';

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 100;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(zone, format);
    return format;
  } catch {
    throw badValue(`unrecognized time zone identifier: "${zone.slice(0, 100)}"`);
  }
}

/** Milliseconds that the clocks of a zone are ahead of UTC at a time. Zones are names (`Europe/Berlin`) or offsets (`+05:30`). */
export function offsetAt(zone: string, time: number): number {
  if (zone === 'UTC' || zone === 'GMT' || zone === 'Z') return 0;
  const fixed = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (fixed) {
    const [, sign, hours, minutes = '0'] = fixed;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  }
  const parts = new Map(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const shown = new Date(0);
  shown.setUTCFullYear(year, part('month') - 1, part('day'));
  shown.setUTCHours(part('hour'), part('minute'), part('second'));
  return shown.getTime() - Math.floor(time / 1000) * 1000;
}

/** The time at which the clocks of a zone show what clocks of UTC show at `shown`; the earlier one where they show it twice. */
export function timeShown(zone: string, shown: number): number {
  const offsets = [offsetAt(zone, shown - DAY_MS), offsetAt(zone, shown + DAY_MS)];
  const times = offsets.map((offset) => shown - offset).sort((a, b) => a - b);
  return times.find((time) => time + offsetAt(zone, time) === shown) ?? shown - (offsets[0] as number);
}
