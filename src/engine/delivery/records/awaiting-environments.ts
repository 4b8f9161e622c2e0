import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Types } from 'mongoose';
import { NotificationStore } from './notification.js';

/**
 * Whether notifications of an environment wait for an event. Messages that are marked all at once are not read, so they cannot
 * say it themselves; environments without waits pay one look in a while for it.
 */
@Injectable()
export class AwaitingEnvironments {
  /** For so long, a process may not know of the first wait of another one. */
  static readonly KNOWN_MS = 10_000;
  /** Limited by size: a limit of entries would reserve 0.4 MB at once. */
  private readonly known = new LRUCache<string, boolean>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: AwaitingEnvironments.KNOWN_MS,
  });

  constructor(private readonly notifications: NotificationStore) {}

  note(id: Types.ObjectId): void {
    this.known.set(id.toHexString(), true);
  }

  async has(_environmentId: Types.ObjectId): Promise<boolean> {
    const id = _environmentId.toHexString();
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const filter = { _environmentId, awaiting: { $exists: true } };
    const found = await this.notifications.collection.findOne(filter, { projection: { _id: 1 } });
    this.known.set(id, found !== null);
    return found !== null;
  }
}
