import {
  type ChannelName,
  type InboxApi,
  InboxError,
  type InboxFault,
  type InboxPreference,
  InboxPreferences,
  type WeeklySchedule,
} from '../store/index.js';
import { queue } from '../store/queue.js';

export interface Preferences {
  /** That of all workflows first, then those of workflows; empty until they are read. */
  readonly preferences: readonly InboxPreference[];
  readonly isLoading: boolean;
  readonly error: InboxFault | undefined;
  /** Shown at once; what Herald refuses goes back. @param workflowId undefined: for all workflows */
  readonly setChannel: (workflowId: string | undefined, channel: ChannelName, isEnabled: boolean) => void;
  readonly setSchedule: (schedule: WeeklySchedule) => void;
  readonly refresh: () => void;
}

/** The preferences as they are shown, with the changes that are on their way. */
export class ShownPreferences {
  private readonly stored: InboxPreferences;
  private readonly listeners = new Set<() => void>();
  private readonly inOrder = queue();
  private unsent = 0;
  private current: Preferences = {
    preferences: [],
    isLoading: true,
    error: undefined,
    setChannel: (workflowId, channel, isEnabled) =>
      this.change(
        workflowId,
        (one) => ({ ...one, channels: { ...one.channels, [channel]: isEnabled } }),
        () => this.stored.setChannel(workflowId, channel, isEnabled),
      ),
    setSchedule: (schedule) =>
      this.change(
        undefined,
        (one) => ({ ...one, schedule }),
        () => this.stored.setSchedule(schedule),
      ),
    refresh: () => {
      this.set({ isLoading: true, error: undefined });
      void this.inOrder(() => this.read());
    },
  };

  constructor(api: InboxApi) {
    this.stored = new InboxPreferences(api);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): Preferences => this.current;

  private change(
    workflowId: string | undefined,
    patch: (one: InboxPreference) => InboxPreference,
    send: () => Promise<unknown>,
  ): void {
    const preferences = this.current.preferences.map((one) => (one.workflow?.id === workflowId ? patch(one) : one));
    this.set({ preferences, error: undefined });
    this.unsent += 1;
    void this.inOrder(async () => {
      await send().catch((error: unknown) => this.fail(error));
      this.unsent -= 1;
      // What is set for all workflows changes what holds for single ones.
      await this.read();
    });
  }

  private async read(): Promise<void> {
    if (this.unsent > 0) return;
    try {
      const preferences = await this.stored.list();
      if (this.unsent === 0) this.set({ preferences, isLoading: false });
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.set({ isLoading: false, error: error instanceof InboxError ? error : new InboxError(String(error), 0) });
  }

  private set(change: Partial<Preferences>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }
}
