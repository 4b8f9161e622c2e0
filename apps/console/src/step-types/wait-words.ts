import type { Schemas } from '../api/client.js';
import { summaryOf } from './summary.js';

type Metadata = Schemas['StepMetadataDto'];

interface Described {
  readonly template: { readonly type: string };
  readonly metadata: Metadata;
}

/** What a step does with times at which the subscriber, or the team, does not want messages. */
export function sendingWords({ extendToSchedule, outsideSchedule, sendWindow }: Metadata): string | undefined {
  if (extendToSchedule === true) return "Ends within the subscriber's delivery hours";
  const words = [
    ...(outsideSchedule === 'wait' ? ["Waits for the subscriber's delivery hours"] : []),
    ...(outsideSchedule === 'skip' ? ["Is skipped outside the subscriber's delivery hours"] : []),
    ...(sendWindow ? ['Waits for its send window'] : []),
  ];
  return words.length === 0 ? undefined : words.join('; ');
}

/** A time in words: `2 days`. */
function spanWords(amount: number | null | undefined, unit: string | null | undefined): string {
  if (amount === undefined || amount === null || !unit) return 'an unspecified time';
  return amount === 1 ? `1 ${unit.replace(/s$/, '')}` : `${amount.toLocaleString('en')} ${unit}`;
}

export function delayWords({ type, amount, unit, delayPath }: Metadata): string {
  if (type === 'scheduled') return `Waits until the date in payload.${delayPath ?? '?'}`;
  return `Waits ${spanWords(amount, unit)}`;
}

/** How many events a throttle lets through, and in which time. */
export function throttleWords({ type, amount, unit, threshold, throttleKey, dynamicKey }: Metadata): string {
  const count = threshold ?? 1;
  const events = count === 1 ? '1 event' : `${count.toLocaleString('en')} events`;
  const window = type === 'dynamic' ? `until the end in ${dynamicKey ?? '?'}` : `in ${spanWords(amount, unit)}`;
  return `Lets ${events} through ${window}${throttleKey ? `, separately for each ${throttleKey}` : ''}; further ones end here`;
}

const MESSAGE_EVENT_WORDS: Readonly<Record<string, string>> = {
  'message.delivered': 'delivered',
  'message.opened': 'opened',
  'message.seen': 'seen',
  'message.read': 'read',
  'message.clicked': 'clicked',
  'message.bounced': 'bounced',
};

/** No name for people. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-/;

/** What a step waits for, how long, and what it does then. */
export function eventWaitWords({ event, amount, unit, match, step, onMatch, onTimeout }: Metadata): string {
  const word = MESSAGE_EVENT_WORDS[event ?? ''];
  const of = step ? `the message of ${UUID.test(step) ? 'an earlier step' : step}` : 'a message';
  const what = word === undefined ? `the signal ${event || '?'}` : `${of} to be ${word}`;
  const values = match?.length ? ` with ${match.map(({ path, value }) => `${path} = ${value}`).join(', ')}` : '';
  const ends = (does: string | null | undefined): string => (does === 'stop' ? 'ends here' : 'goes on');
  const then = `${ends(onMatch ?? 'continue')} if it comes, and ${ends(onTimeout ?? 'stop')} if not`;
  return `Waits ${spanWords(amount, unit)} at most for ${what}${values}; ${then}`;
}

/** What a digest collects, and until when. */
export function digestWords(metadata: Metadata): string {
  const { type, amount, unit, digestKey, backoff, backoffAmount, backoffUnit } = metadata;
  const apart = digestKey ? `, separately for each payload.${digestKey}` : '';
  if (type === 'timed') return `Collects events until the next time: ${timedWords(metadata)}${apart}`;
  const span = spanWords(amount, unit);
  if (type === 'backoff' || backoff === true) {
    const before = spanWords(backoffAmount, backoffUnit);
    return `Passes an event on immediately, unless another one came within the previous ${before}; then collects for ${span}${apart}`;
  }
  return `Collects events for ${span} after the first one${apart}`;
}

/** The schedule of a timed digest. */
function timedWords({ amount, unit, timed, timezone }: Metadata): string {
  const every = amount === 1 ? `every ${(unit ?? '').replace(/s$/, '')}` : `every ${spanWords(amount, unit)}`;
  const at = timed?.atTime ? ` at ${timed.atTime} ${zoneWords(timezone)}` : '';
  if (unit === 'weeks' && timed?.weekDays?.length)
    return `${every} on ${timed.weekDays.map(capitalized).join(', ')}${at}`;
  if (unit !== 'months') return every + at;
  if (timed?.monthlyType === 'on')
    return `${every} on the ${ordinalWord(timed.ordinal)} ${dayWord(timed.ordinalValue)}${at}`;
  return timed?.monthDays?.length ? `${every} on day ${timed.monthDays.join(', ')}${at}` : every + at;
}

function zoneWords(timezone: string | null | undefined): string {
  if (timezone === 'subscriber') return "in the subscriber's time zone";
  return timezone ? `in ${timezone}` : 'UTC';
}

const ORDINALS: Readonly<Record<string, string>> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' };
const ordinalWord = (ordinal: string | null | undefined): string => ORDINALS[ordinal ?? ''] ?? ordinal ?? '';

function dayWord(day: string | null | undefined): string {
  if (day === 'weekend') return 'weekend day';
  return day === 'day' || day === 'weekday' ? day : capitalized(day ?? '');
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** More exact than the summary that Herald has of these types. */
const WORDS: Readonly<Record<string, (metadata: Metadata) => string>> = {
  delay: delayWords,
  digest: digestWords,
  throttle: throttleWords,
  wait_for_event: eventWaitWords,
};

/** What a step does, in a sentence. */
export function summaryWords(step: Described, type?: Schemas['StepTypeResponse']): string | undefined {
  const words = WORDS[step.template.type];
  return words === undefined ? summaryOf(type?.summary ?? [], step) : `${words(step.metadata)}.`;
}
