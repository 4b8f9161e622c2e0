import { Injectable } from '@nestjs/common';

/** What changed in the in-app feed of one subscriber. */
export interface FeedChange {
  environmentId: string;
  /** The id of the subscriber's record, in hexadecimal digits. */
  subscriberId: string;
  /** Ids of new messages; absent if only marks changed. */
  storedIds?: readonly string[];
  /** The number of unseen messages may have changed. */
  unseen?: boolean;
  /** The number of unread messages may have changed. */
  unread?: boolean;
}

type Listener = (changes: readonly FeedChange[]) => void;

/**
 * Announces changes of in-app feeds within this process, after they are stored. An announcement costs nothing if nothing
 * listens; a listener must return at once and must not throw.
 */
@Injectable()
export class FeedSignals {
  private readonly listeners = new Set<Listener>();

  changed(changes: readonly FeedChange[]): void {
    for (const listener of this.listeners) listener(changes);
  }

  /** @returns a function that stops listening */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
