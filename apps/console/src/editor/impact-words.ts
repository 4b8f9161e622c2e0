import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';

export type Impact = Schemas['ImpactResponse'];
export type ImpactChange = Schemas['ImpactChangeResponse'];
type Outcome = Schemas['ImpactOutcomeResponse'];

/** What all answers together have found so far. */
export interface ImpactFigures extends Pick<Impact, 'total' | 'sample' | 'lookedAt' | 'notCompared'> {
  readonly otherReasons: number;
  readonly otherTexts: number;
  readonly otherTimes: number;
  /** A change of each person, newest first. */
  readonly people: ReadonlyMap<string, ImpactChange>;
}

export function withAnswer(before: ImpactFigures | undefined, answer: Impact): ImpactFigures {
  const people = new Map(before?.people);
  for (const change of answer.changes) if (!people.has(change.subscriberId)) people.set(change.subscriberId, change);
  return {
    total: answer.total,
    sample: answer.sample,
    lookedAt: (before?.lookedAt ?? 0) + answer.lookedAt,
    notCompared: (before?.notCompared ?? 0) + answer.notCompared,
    otherReasons: (before?.otherReasons ?? 0) + answer.otherReasons,
    otherTexts: (before?.otherTexts ?? 0) + answer.otherTexts,
    otherTimes: (before?.otherTimes ?? 0) + answer.otherTimes,
    people,
  };
}

/** Counting stops here. */
const MOST = 100_000;

const number = (count: number): string => count.toLocaleString('en');
const counted = (count: number, one: string, many: string): string => `${number(count)} ${count === 1 ? one : many}`;

/** The answer in one or two sentences. */
export function impactHeadline({ total, sample, lookedAt, people }: ImpactFigures): string {
  if (total === 0) return 'The workflow has not run in the last 7 days, so there is nothing to compare with.';
  const all = `${total >= MOST ? 'more than ' : ''}${counted(total, 'notification', 'notifications')} of the last 7 days`;
  const who = people.size === 0 ? 'nobody' : counted(people.size, 'person', 'people');
  const result = `${who} would get another result`;
  if (lookedAt < Math.min(sample, total)) {
    return `Looked at ${number(lookedAt)} of ${all} before you canceled: ${result}.`;
  }
  if (sample < total) return `Looked at ${number(lookedAt)} of ${all}, spread evenly: ${result}.`;
  return `Of ${all}, ${result}.`;
}

/** What changes besides, in sentences; empty where nothing does. */
export function impactNotes({ otherTexts, otherTimes, otherReasons, notCompared }: ImpactFigures): string[] {
  const notifications = (count: number): string => counted(count, 'notification', 'notifications');
  return [
    ...(otherTexts > 0 ? [`${notifications(otherTexts)} would say something else, through the same channels.`] : []),
    ...(otherTimes > 0 ? [`${notifications(otherTimes)} would come at another time.`] : []),
    ...(otherReasons > 0 ? [`${notifications(otherReasons)} would leave something out for another reason.`] : []),
    ...(notCompared > 0
      ? [
          `${notifications(notCompared)} could not be compared: they were tests, their data is deleted, or a condition asks another system.`,
        ]
      : []),
  ];
}

/** What a person gets: `In-app, Email`. */
export function outcomeWords({ channels, unsent, joinsDigest, missing }: Outcome): string {
  if (missing.length > 0)
    return `Nothing: the event would be refused, because it lacks ${missing.map(nameOf).join(', ')}`;
  if (channels.length > 0) return channels.map(typeLabel).join(', ');
  if (joinsDigest) return 'Part of a digest that is being collected';
  const [first] = unsent;
  return first?.title === undefined ? 'Nothing' : `Nothing. ${typeLabel(first.type)}: ${first.title}`;
}

/** Without the type that the value should have: `plan (Value)`. */
function nameOf(missing: string): string {
  return missing.replace(/ \([^()]*\)$/, '');
}
