export interface WorkLoopOptions {
  /** Looks for work once. @returns how much it found */
  readonly turn: () => Promise<number>;
  /** When the next work is due, as far as is known. */
  readonly nextAt: () => Promise<Date | undefined>;
  readonly pollMs: number;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

const REST_AFTER_ERROR_MS = 1_000;
/** Overdue work without free capacity must not make the loop spin. A slot that becomes free wakes it. */
const MIN_REST_MS = 250;

/** Takes turns while there is work, then rests until work is due, `wake` is called, or the polling interval ends. */
export class WorkLoop {
  private isRunning = false;
  private isWoken = false;
  private isStopped = true;
  private timer: NodeJS.Timeout | undefined;
  private ended: Promise<void> = Promise.resolve();

  constructor(private readonly options: WorkLoopOptions) {}

  start(): void {
    this.isStopped = false;
    this.wake();
  }

  wake(): void {
    if (this.isStopped) return;
    this.isWoken = true;
    if (!this.isRunning) this.ended = this.run();
  }

  /** Resolves when the current turn is over. No other follows. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.ended;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    clearTimeout(this.timer);
    let restMs: number;
    try {
      while (this.shouldTurn()) {
        this.isWoken = false;
        if ((await this.options.turn()) > 0) this.isWoken = true;
      }
      restMs = await this.untilNext();
    } catch (error) {
      this.options.onError(error);
      restMs = REST_AFTER_ERROR_MS;
    } finally {
      this.isRunning = false;
    }
    // A call during the last search must not wait.
    this.sleep(this.isWoken ? 0 : restMs);
  }

  private shouldTurn(): boolean {
    return this.isWoken && !this.isStopped;
  }

  private async untilNext(): Promise<number> {
    const next = await this.options.nextAt();
    if (next === undefined) return this.options.pollMs;
    return Math.min(this.options.pollMs, Math.max(MIN_REST_MS, next.getTime() - this.options.now().getTime()));
  }

  private sleep(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => this.wake(), ms);
  }
}
