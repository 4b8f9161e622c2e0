/** What a loop does in one turn. @returns how much it found to do */
type Turn = () => Promise<number>;

export interface WorkLoopOptions {
  readonly turn: Turn;
  /** When work is due next, as far as is known. */
  readonly nextAt: () => Promise<Date | undefined>;
  /** Longest rest in milliseconds. */
  readonly pollMs: number;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

const AFTER_ERROR_MS = 1_000;

/** Does turns while there is work, then rests until something is due, somebody calls, or it is time to look again. */
export class WorkLoop {
  private isRunning = false;
  private isCalled = false;
  private isStopped = true;
  private timer: NodeJS.Timeout | undefined;
  private ended: Promise<void> = Promise.resolve();

  constructor(private readonly options: WorkLoopOptions) {}

  start(): void {
    this.isStopped = false;
    this.wake();
  }

  /** There may be work. */
  wake(): void {
    if (this.isStopped) return;
    this.isCalled = true;
    if (!this.isRunning) this.ended = this.run();
  }

  /** Resolves when the turn under way is over; none follows. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.ended;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    clearTimeout(this.timer);
    let rest: number;
    try {
      while (this.shouldTurn()) {
        this.isCalled = false;
        if ((await this.options.turn()) > 0) this.isCalled = true;
      }
      rest = await this.untilNext();
    } catch (error) {
      this.options.onError(error);
      rest = AFTER_ERROR_MS;
    } finally {
      this.isRunning = false;
    }
    // A call during the last look must not wait.
    this.sleep(this.isCalled ? Math.min(rest, AFTER_CALL_MS) : rest);
  }

  private shouldTurn(): boolean {
    return this.isCalled && !this.isStopped;
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

/** Overdue work that has no place in its lane must not make the loop spin; a free place calls anyway. */
const MIN_REST_MS = 250;
const AFTER_CALL_MS = 0;
