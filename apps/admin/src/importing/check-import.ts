import type { mongo } from 'mongoose';
import type { Row } from './novu-records.js';
import type { ImportReport } from './report.js';
import type { NovuSource } from './sources/novu-source.js';

const PEOPLE = 10;
const WORDS = { topics: 'topics', messages: 'in-app messages', unread: 'unread in-app messages' } as const;

/** What differs between Novu and Herald after an import; empty if nothing does. */
interface CheckResult {
  readonly people: number;
  readonly differences: string[];
}

interface Places {
  readonly source: NovuSource;
  readonly to: mongo.Db;
}

/** Compares how many records are stored, and ten people, chosen by chance, with all that belongs to them. */
export async function checkImport({ source, to }: Places, report: ImportReport, since: Date): Promise<CheckResult> {
  const differences: string[] = [];
  for (const { kind, taken } of report.all) {
    const stored = await to.collection(kind).countDocuments({});
    if (stored < taken) differences.push(`${kind}: ${taken} were taken, ${stored} are stored`);
  }
  const people = await source.people(PEOPLE, to);
  for (const person of people) differences.push(...(await differencesOf(person, { source, to }, since)));
  return { people: people.length, differences };
}

async function differencesOf(person: Row, { source, to }: Places, since: Date): Promise<string[]> {
  const { _id } = person;
  const name = `subscriber ${String(person['subscriberId'])}`;
  const stored = await to.collection('subscribers').findOne({ _id });
  if (stored === null) return [`${name} is not stored`];
  const differences: string[] = [];
  for (const field of ['subscriberId', 'createdAt']) {
    if (String(stored[field]) !== String(person[field])) differences.push(`${name} has another ${field}`);
  }
  const own = { _subscriberId: _id, deleted: { $ne: true } };
  const recent = { ...own, channel: 'in_app', createdAt: { $gte: since } };
  const there = await source.ownedBy(person, since);
  const here = {
    topics: await to.collection('topicSubscribers').countDocuments(own),
    messages: await to.collection('messages').countDocuments(recent),
    unread: await to.collection('messages').countDocuments({ ...recent, read: false }),
  };
  for (const what of ['topics', 'messages', 'unread'] as const) {
    if (there[what] !== here[what])
      differences.push(`${name} has ${there[what]} ${WORDS[what]} in Novu, and ${here[what]} in Herald`);
  }
  return differences;
}
