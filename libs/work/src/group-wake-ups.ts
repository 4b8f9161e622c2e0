import { InProcessWakeUps, WakeUps } from './wake-ups.js';

/** The message by which a process of a group announces work; the first process passes it on to the one that delivers. */
export const WORK_DUE = 'herald:work';
const GATHER_MS = 5;

/** The channel to the first process of the group; {@link process} in production. */
export interface GroupChannel {
  readonly connected: boolean;
  send?(message: unknown, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Wakes the engine of a group of processes on one port (WEB_CONCURRENCY) through the first process of the group. */
export class GroupWakeUps extends WakeUps {
  private readonly local = new InProcessWakeUps();
  private gathering: NodeJS.Timeout | undefined;
  private isDue = false;
  private readonly receive = (message: unknown): void => {
    if (message === WORK_DUE) this.local.notify();
  };

  constructor(private readonly channel: GroupChannel) {
    super();
    channel.on('message', this.receive);
  }

  /** The first call is passed on at once, further ones once in {@link GATHER_MS}. */
  notify(): void {
    this.local.notify();
    // The engine is in this process, or the next poll finds the work.
    if (this.local.isHeard || !this.channel.connected) return;
    this.isDue = true;
    if (this.gathering === undefined) this.announce();
  }

  listen(listener: () => void): () => void {
    return this.local.listen(listener);
  }

  close(): Promise<void> {
    this.channel.off('message', this.receive);
    clearTimeout(this.gathering);
    return this.local.close();
  }

  private announce(): void {
    this.gathering = undefined;
    if (!this.isDue) return;
    this.isDue = false;
    // A message that is lost costs one polling interval.
    this.channel.send?.(WORK_DUE, () => undefined);
    this.gathering = setTimeout(() => this.announce(), GATHER_MS);
  }
}
