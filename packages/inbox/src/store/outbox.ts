import { InboxError } from './api.js';

const RETRY_MS = 5_000;

interface Change {
  readonly send: () => Promise<unknown>;
  /** Called when Herald has it, or has refused it. */
  readonly done: (refused?: InboxError) => void;
}

/**
 * Sends changes in their order. While Herald cannot be reached they wait; all of them can be sent twice without harm, so one
 * whose answer was lost is sent again.
 */
export class Outbox {
  private readonly waiting: Change[] = [];
  private isSending = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onSize: (size: number) => void) {}

  add(change: Change): void {
    this.waiting.push(change);
    this.onSize(this.waiting.length);
    this.flush();
  }

  /** Tries now. */
  flush(): void {
    if (!this.isSending) void this.sendAll();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    clearTimeout(this.timer);
    try {
      for (let first = this.waiting[0]; first !== undefined; first = this.waiting[0]) {
        const refused = await first.send().then(
          () => undefined,
          (error: unknown) => (error instanceof InboxError ? error : new InboxError(String(error), 400)),
        );
        if (refused?.isPassing === true) {
          this.timer = setTimeout(() => this.flush(), refused.retryAfterMs ?? RETRY_MS);
          return;
        }
        this.waiting.shift();
        this.onSize(this.waiting.length);
        first.done(refused);
      }
    } finally {
      this.isSending = false;
    }
  }
}
