import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { CHANNELS } from '#libs/channels';
import { rawCollection, toObjectId } from '#libs/persistence';
import type { HeldRecord, Person } from '../../audience/subscribers/index.js';

/** Record types of an export. */
export const KINDS = ['subscriber', 'preference', 'topic', 'notification', 'message', 'schedule', 'question'] as const;
export type Kind = (typeof KINDS)[number];

/** With the external id. */
export type NamedPerson = Person & { readonly subscriberId: string };

type Row = HeldRecord & Record<string, unknown>;

/** Follows an index, oldest first. */
interface Series {
  readonly kind: Kind;
  readonly collection: string;
  readonly where: (person: NamedPerson) => mongo.Filter<Row>;
}

const own = ({ environmentId, id }: Person): mongo.Filter<Row> => ({
  _environmentId: toObjectId(environmentId),
  _subscriberId: id,
});

/** State of work, which is not personal data. */
const WORK_FIELDS = [
  'wakeAt',
  'lease',
  'takenUp',
  'lane',
  'onlineIn',
  'describedBy',
  'dueSince',
  'by',
  'search',
  'cancelUnanswered',
  '__v',
];

/** Includes hidden messages; each series follows the index of the feed. */
const MESSAGES: readonly Series[] = CHANNELS.flatMap((channel) =>
  [false, true].map((deleted) => ({
    kind: 'message',
    collection: 'messages',
    where: (person) => ({ ...own(person), channel, deleted }),
  })),
);

const SERIES: readonly Series[] = [
  {
    kind: 'subscriber',
    collection: 'subscribers',
    where: ({ environmentId, id }) => ({ _id: id, _environmentId: toObjectId(environmentId) }),
  },
  { kind: 'preference', collection: 'preferences', where: own },
  { kind: 'topic', collection: 'topicSubscribers', where: own },
  { kind: 'notification', collection: 'notifications', where: own },
  ...MESSAGES,
  {
    kind: 'schedule',
    collection: 'schedules',
    where: ({ environmentId, subscriberId }) => ({
      _environmentId: toObjectId(environmentId),
      subscribers: subscriberId,
    }),
  },
  {
    kind: 'question',
    collection: 'questions',
    where: ({ environmentId, id }) => ({ _environmentId: toObjectId(environmentId), 'people._id': id }),
  },
];

export interface Position {
  readonly series: number;
  readonly last?: HeldRecord;
}

export interface HeldPage {
  readonly rows: readonly { readonly kind: Kind; readonly row: Row }[];
  /** Absent after the last page. */
  readonly next?: Position;
}

@Injectable()
export class HeldRecords {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async page(person: NamedPerson, from: Position, limit: number): Promise<HeldPage> {
    const rows: { kind: Kind; row: Row }[] = [];
    let { last } = from;
    for (let at = from.series; at < SERIES.length; at += 1, last = undefined) {
      const series = SERIES[at];
      if (series === undefined) break;
      const found = await this.read(series, person, last, limit - rows.length + 1);
      for (const row of found.slice(0, limit - rows.length)) {
        rows.push({ kind: series.kind, row });
        last = { _id: row._id, createdAt: row.createdAt };
      }
      if (rows.length < limit) continue;
      const isMore = found.at(-1)?._id.equals(last?._id ?? '') === false;
      if (isMore && last !== undefined) return { rows, next: { series: at, last } };
      if (at + 1 < SERIES.length) return { rows, next: { series: at + 1 } };
    }
    return { rows };
  }

  private async read(
    { collection, where }: Series,
    person: NamedPerson,
    last: HeldRecord | undefined,
    limit: number,
  ): Promise<Row[]> {
    const after = last && {
      createdAt: { $gte: last.createdAt },
      $or: [{ createdAt: { $gt: last.createdAt } }, { _id: { $gt: last._id } }],
    };
    const rows = await rawCollection<Row>(this.connection, collection)
      .find({ ...where(person), ...after } as mongo.Filter<Row>)
      .sort({ createdAt: 1, _id: 1 })
      .limit(limit)
      .project<Row>(Object.fromEntries(WORK_FIELDS.map((field) => [field, 0])))
      .toArray();
    return rows;
  }
}
