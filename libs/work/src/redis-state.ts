/** Redis answers, and does not let Herald in. Unlike an outage, this does not pass by itself. */
const REFUSED = /\b(?:WRONGPASS|NOAUTH|NOPERM)\b|invalid password/;

interface RedisReport {
  readonly level: 'error' | 'warn';
  readonly text: string;
  /** Of what failed. */
  readonly reason?: string;
}

/** What a process says of its connections to Redis: one line where they fail, where the reason is another kind, and where they are back. */
export class RedisState {
  private state: 'ready' | 'away' | 'refused' = 'ready';

  /** @param consequence what does not work meanwhile, as a sentence */
  constructor(
    private readonly consequence: string,
    private readonly report: (report: RedisReport) => void,
  ) {}

  failed({ message: reason }: Error): void {
    const state = REFUSED.test(reason) ? 'refused' : 'away';
    // Calls meanwhile fail because the connection is not there.
    if (this.state === state || this.state === 'refused') return;
    this.state = state;
    const text =
      state === 'away'
        ? `Redis is unavailable. Until it is back: ${this.consequence}`
        : `Redis refuses the user or the password of REDIS_URL. Correct them there and start Herald again. Until then: ${this.consequence}`;
    this.report({ level: state === 'away' ? 'warn' : 'error', text, reason });
  }

  isBack(): void {
    if (this.state === 'ready') return;
    this.state = 'ready';
    // As loud as what it ends.
    this.report({ level: 'warn', text: 'Redis is back.' });
  }
}
