import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import type { Message } from '../records/message.schema.js';

export interface FeedChange {
  environmentId: string;
  /** Id of the record, hexadecimal. */
  subscriberId: string;
  /** New messages; absent if only marks changed. */
  storedIds?: readonly string[];
  /** The count may have changed. */
  unseen?: boolean;
  /** The count may have changed. */
  unread?: boolean;
}

type StoredRow = Pick<Message, '_id' | '_environmentId' | '_subscriberId' | 'channel'>;
type Listener = (changes: readonly FeedChange[]) => void;

/**
 * Announces stored changes within this process; free if nothing listens. Listeners must return at once and must not
 * throw.
 */
@Injectable()
export class FeedSignals {
  private readonly listeners = new Set<Listener>();

  get isHeard(): boolean {
    return this.listeners.size > 0;
  }

  changed(changes: readonly FeedChange[]): void {
    for (const listener of this.listeners) listener(changes);
  }

  /** Ignores other channels. */
  stored(rows: readonly StoredRow[]): void {
    if (this.listeners.size === 0) return;
    const bySubscriber = new Map<string, { environmentId: string; storedIds: string[] }>();
    for (const { _id, _environmentId, _subscriberId, channel } of rows) {
      if (channel !== 'in_app') continue;
      const subscriberId = _subscriberId.toHexString();
      const known = bySubscriber.get(subscriberId);
      if (known !== undefined) known.storedIds.push(_id.toHexString());
      else {
        const storedIds = [_id.toHexString()];
        bySubscriber.set(subscriberId, { environmentId: _environmentId.toHexString(), storedIds });
      }
    }
    if (bySubscriber.size === 0) return;
    this.changed(
      Array.from(bySubscriber, ([subscriberId, of]) => ({ subscriberId, ...of, unseen: true, unread: true })),
    );
  }

  removed({ environmentId }: Pick<TenantContext, 'environmentId'>, subscriberIds: Iterable<string>): void {
    const changes = Array.from(new Set(subscriberIds), (subscriberId) => ({
      environmentId,
      subscriberId,
      unseen: true,
      unread: true,
    }));
    if (changes.length > 0) this.changed(changes);
  }

  /** @returns a function that stops listening */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
