/** What goes from tab to tab: news, or from a new tab nothing, to be greeted. */
interface Told<News> {
  readonly news?: News;
  readonly eventId?: string | undefined;
}

interface TabGroupOptions<News> {
  /** For a tab that was opened later. */
  readonly greeting: () => News;
  readonly onTold: (news: News, eventId: string | undefined) => void;
}

/**
 * The tabs of a browser that show the same inbox. One of them leads and tells the others what it hears; when it is closed, the next one
 * leads. Where the browser has no locks, as on pages without TLS, each tab leads.
 */
export class TabGroup<News> {
  private channel: BroadcastChannel | undefined;
  private isLeading = false;

  constructor(
    private readonly name: string,
    private readonly options: TabGroupOptions<News>,
  ) {}

  /** Works once this tab leads, until the signal is given. */
  async lead(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const locks = globalThis.navigator?.locks as LockManager | undefined;
    if (locks === undefined || typeof BroadcastChannel === 'undefined') return work();
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = ({ data }: MessageEvent<Told<News>>) => this.hear(data);
    this.send({});
    const leading = async (): Promise<void> => {
      this.isLeading = true;
      await work();
      this.isLeading = false;
    };
    // The request is withdrawn when the tab leaves.
    await locks.request(this.name, { signal }, leading).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  tell(news: News, eventId?: string): void {
    this.send({ news, eventId });
  }

  leave(): void {
    this.channel?.close();
    this.channel = undefined;
  }

  private hear({ news, eventId }: Told<News>): void {
    if (news !== undefined) this.options.onTold(news, eventId);
    else if (this.isLeading) this.tell(this.options.greeting());
  }

  private send(told: Told<News>): void {
    this.channel?.postMessage(told);
  }
}
