import { mongo } from 'mongoose';
import type { RawObject } from '#libs/validation';
import type { Row } from '../novu-records.js';
import type { NovuSource, OwnedCounts, SourcePage } from './novu-source.js';

const PAGE_SIZE = 500;
const THERE = { deleted: { $ne: true } };

/** Novu's own database, of which nothing is changed. */
export class MongoSource implements NovuSource {
  readonly hasSecrets = true;
  readonly notShown = {};

  constructor(
    private readonly db: mongo.Db,
    readonly description: string,
  ) {}

  async *pages(collection: string, where: RawObject = {}, at?: string): AsyncGenerator<SourcePage> {
    let rows: Row[];
    let next = at;
    do {
      const after = next === undefined ? {} : { _id: { $gt: new mongo.ObjectId(next) } };
      rows = await this.db
        .collection(collection)
        .find({ ...where, ...THERE, ...after })
        .sort({ _id: 1 })
        .limit(PAGE_SIZE)
        .toArray();
      next = rows.length < PAGE_SIZE ? undefined : rows.at(-1)?._id.toHexString();
      yield { rows, next };
    } while (next !== undefined);
  }

  people(count: number): Promise<Row[]> {
    const chosen = [{ $match: THERE }, { $sample: { size: count } }];
    return this.db.collection('subscribers').aggregate<Row>(chosen).toArray();
  }

  async ownedBy({ _id }: Row, since: Date): Promise<OwnedCounts> {
    const own = { _subscriberId: _id, ...THERE };
    const recent = { ...own, channel: 'in_app', createdAt: { $gte: since } };
    const [topics, messages, unread] = await Promise.all([
      this.db.collection('topicsubscribers').countDocuments(own),
      this.db.collection('messages').countDocuments(recent),
      this.db.collection('messages').countDocuments({ ...recent, read: false }),
    ]);
    return { topics, messages, unread };
  }
}
