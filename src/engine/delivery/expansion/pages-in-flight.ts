/** Of one event. While the store writes one page, the next is prepared, and the one after it is read. */
export const PAGES_IN_FLIGHT = 3;

interface PageInFlight {
  readonly stored: Promise<unknown>;
  /** @returns false when the expansion must stop */
  readonly checkpoint: () => Promise<boolean>;
}

/**
 * Pages of one expansion, a few at the same time: one is prepared while the store writes another. Their checkpoints are made
 * in order, each when its page and all earlier ones are stored.
 */
export class PagesInFlight {
  private readonly pages: PageInFlight[] = [];

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.pages.length >= this.limit;
  }

  add(page: PageInFlight): void {
    // The error is thrown when the page is settled.
    page.stored.catch(() => undefined);
    this.pages.push(page);
  }

  /** Waits for the oldest page and makes its checkpoint. @returns false when the expansion must stop */
  async settleOldest(): Promise<boolean> {
    const [page] = this.pages;
    if (page === undefined) return true;
    await page.stored;
    this.pages.shift();
    return page.checkpoint();
  }

  /** As {@link settleOldest}, for all pages. */
  async settleAll(): Promise<boolean> {
    while (this.pages.length > 0) if (!(await this.settleOldest())) return false;
    return true;
  }

  /** Waits until all pages are stored, without checkpoints. */
  async settleStored(): Promise<void> {
    await Promise.all(this.pages.splice(0).map(({ stored }) => stored));
  }

  /** Waits until nothing is being written any more, without checkpoints and errors. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.pages.splice(0).map(({ stored }) => stored));
  }
}
