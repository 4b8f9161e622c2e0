import { type InboxApi, InboxError } from './api.js';
import type { LiveCounts } from './live.js';
import type { InboxState } from './state.js';
import type { InboxTab } from './types.js';

type Shown = Partial<Pick<InboxState, 'unread' | 'unseen' | 'tabCounts'>>;

interface CountsOptions {
  readonly api: InboxApi;
  readonly tabs: readonly InboxTab[];
  readonly onCounts: (counts: Shown) => void;
  /** Herald did not count for now. */
  readonly onFailure: (retryAfterMs?: number) => void;
}

/**
 * The numbers of the badge and of the tabs. While Herald may have counted without a change that was made here, its count is not shown:
 * the badge would go back to the former number. The count is read again when Herald has all changes.
 */
export class Counts {
  /** Changes that Herald does not have yet. */
  private pending = 0;
  private confirmed = 0;
  /** Grows with each count of the stream. */
  private told = 0;
  private isDue = false;

  constructor(private readonly options: CountsOptions) {}

  /** Notes a change to what is counted. @returns must be called when Herald has stored or refused the change */
  change(): (isRefused: boolean) => void {
    this.pending += 1;
    return (isRefused) => {
      this.pending -= 1;
      this.confirmed += 1;
      this.isDue ||= isRefused;
      this.readIfDue();
    };
  }

  tell({ unseenCount, counts }: LiveCounts): void {
    this.told += 1;
    this.ask()({ unread: counts.total, unseen: unseenCount });
  }

  /** Call it before Herald is asked. @returns takes the answer */
  ask(): (counts: Shown) => void {
    const { confirmed, told } = this;
    return (counts) => {
      // The stream has brought a newer count meanwhile.
      if (told !== this.told) return;
      this.isDue = confirmed !== this.confirmed || this.pending > 0;
      if (this.isDue) this.readIfDue();
      else this.options.onCounts(counts);
    };
  }

  async read(): Promise<void> {
    const { api, tabs, onCounts, onFailure } = this.options;
    const notRead = { read: false, archived: false };
    const take = this.ask();
    try {
      const filters = [notRead, { seen: false }, ...tabs.map(({ filter }) => ({ ...filter, ...notRead }))];
      const [unread = 0, unseen = 0, ...tabCounts] = await api.count(filters);
      onCounts({ tabCounts });
      take({ unread, unseen });
    } catch (error) {
      if (error instanceof InboxError && error.isPassing) onFailure(error.retryAfterMs);
    }
  }

  readIfDue(): void {
    if (this.isDue && this.pending === 0) void this.read();
  }
}
