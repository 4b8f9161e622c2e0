import { filterOf, InboxApi, InboxError, type InboxSession } from './api.js';
import { changeShown, completed, type ItemChange, ofGroup, type Patch, PATCHES, shownIn, snoozed } from './changes.js';
import { Counts } from './counts.js';
import { mergeGroup, mergePage } from './list.js';
import { LiveConnection, type LiveMessage, type LiveNews } from './live.js';
import { Outbox } from './outbox.js';
import { BEGINNING, type InboxState } from './state.js';
import type { InboxArrival, InboxNotification, InboxOptions } from './types.js';

const PAGE = 20;
const LARGE_PAGE = 100;
/** Messages can become visible out of order in this time. */
const OVERLAP_MS = 60_000;
const MAX_VISIBLE_PAGES = 3;
/** Between two readings of the list, however many changes there are. */
const SYNC_EVERY_MS = 250;
/** Before a list is read again that Herald did not give for now, while the stream is open. */
const READ_AGAIN_MS = 2_000;
const MAX_SEEN_AT_ONCE = 100;

/**
 * An inbox without a user interface. `state` is a new object after each change, of which listeners are told.
 * The list is only read while it is shown (`setShown`); without that, the store keeps the counts.
 */
export class InboxStore {
  readonly api: InboxApi;
  private current: InboxState;
  private readonly listeners = new Set<() => void>();
  private readonly arrivals = new Set<(arrival: InboxArrival) => void>();
  private readonly live: LiveConnection;
  private readonly outbox: Outbox;
  private readonly counts: Counts;
  /** Grows when a list is chosen: pages of the one before are dropped. */
  private chosen = 0;
  /** By the clock of confirmed changes, when each notification was changed here last; infinite until it is confirmed. */
  private readonly changedAt = new Map<string, number>();
  private clock = 0;
  /** What the server has changed since they were read has another number. */
  private epoch = 0;
  private readonly readIn = new WeakMap<InboxNotification, number>();
  /** Creation times of messages that came and may not be in the list yet. */
  private expected: string[] = [];
  private session: InboxSession | undefined;
  private isShown = false;
  private visible: readonly [first: number, last: number] = [0, 0];
  private syncing: Promise<void> | undefined;
  private isSyncWanted = false;
  private isTelling = false;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: InboxOptions) {
    const { backendUrl, applicationIdentifier, subscriberId, tabs = [], pollMs } = options;
    this.api = new InboxApi(options);
    this.current = { ...BEGINNING, tabs };
    this.outbox = new Outbox((unsent) => this.set({ unsent }));
    this.counts = new Counts({
      api: this.api,
      tabs,
      onCounts: (counts) => this.set(counts),
      onFailure: (retryAfterMs) => this.readAgainIn(retryAfterMs),
    });
    const name = `herald-inbox ${backendUrl} ${applicationIdentifier} ${subscriberId}`;
    this.live = new LiveConnection({
      api: this.api,
      name,
      ...(pollMs !== undefined && { pollMs }),
      onNews: (news) => this.hear(news),
    });
  }

  get state(): InboxState {
    return this.current;
  }

  /** @returns ends it */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @param listener is told of each message that comes while the store runs @returns ends it */
  onArrival(listener: (arrival: InboxArrival) => void): () => void {
    this.arrivals.add(listener);
    return () => this.arrivals.delete(listener);
  }

  /** Begins a session. Errors are in the state; it tries again by itself where that can help. */
  start(): void {
    this.set({ status: 'connecting' });
    // Without waiting for the stream, which reports a gap when it opens.
    void this.adopt();
    this.live.start();
  }

  stop(): void {
    this.live.stop();
    this.outbox.stop();
    clearTimeout(this.retry);
    this.set({ status: 'idle' });
  }

  /** Resolves when Herald has all changes that were made until now. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.current.unsent > 0) return;
        end();
        resolve();
      };
      const end = this.subscribe(look);
      look();
    });
  }

  /** Reads again what is shown, and tries again at once to reach Herald. */
  refresh(): void {
    this.live.retry();
  }

  /** Reads the list from now on, or no longer. */
  setShown(isShown: boolean): void {
    if (this.isShown === isShown) return;
    this.isShown = isShown;
    if (isShown && this.current.status !== 'idle') this.outdate();
  }

  /** Chooses a list. */
  show({ view = this.current.view, tab = this.current.tab }: Partial<Pick<InboxState, 'view' | 'tab'>>): void {
    this.chosen += 1;
    this.visible = [0, 0];
    this.set({ view, tab, items: [], openGroup: undefined, hasMore: false, isLoaded: false });
    this.sync();
  }

  /** Which notifications are seen: what has changed among them is read again. */
  setVisible(first: number, last: number): void {
    if (String(this.visible) === String([first, last])) return;
    this.visible = [first, last];
    if (this.current.items.slice(first, last + 1).some((item) => this.isStale(item))) this.sync();
  }

  async loadMore(): Promise<void> {
    const last = this.current.items.at(-1);
    if (last === undefined || !this.current.hasMore || this.current.isLoading) return;
    await this.read(LARGE_PAGE, last);
  }

  /** Shows the notifications of a group as well, and those of no other one. @param key absent: of none */
  openGroup(key?: string): void {
    this.set({ openGroup: key === undefined ? undefined : { key, items: [] } });
    if (key !== undefined) this.sync();
  }

  /** All of the group for which a notification stands. */
  markGroup({ id, group }: Pick<InboxNotification, 'id' | 'group'>, change: 'read' | 'archive'): void {
    if (group === undefined) return this.mark(id, change);
    const { tabs, tab, openGroup } = this.current;
    const body = { ...tabs[tab]?.filter, groupKey: group.key };
    const send = (): Promise<unknown> => this.api.call('POST', `notifications/${change}`, { body });
    const shown = openGroup?.key === group.key ? openGroup.items : [];
    this.change([id, ...shown.map((item) => item.id)], ofGroup(PATCHES[change]), send);
  }

  /** @param change as in `PATCH /v1/inbox/notifications/{id}/{change}` */
  mark(id: string, change: ItemChange): void {
    this.patch(id, change, PATCHES[change]);
  }

  snooze(id: string, until: Date): void {
    const snoozeUntil = until.toISOString();
    this.patch(id, 'snooze', snoozed(snoozeUntil), { snoozeUntil });
  }

  /** Records the use of a button. */
  complete(id: string, actionType: 'primary' | 'secondary'): void {
    this.patch(id, 'complete', completed(actionType), { actionType });
  }

  /** Deletes it for good. */
  remove(id: string): void {
    const send = (): Promise<unknown> => this.api.call('DELETE', `notifications/${id}/delete`, { body: {} });
    this.change([id], () => undefined, send);
  }

  /** All that the tab contains, not only those that are loaded; `read-archive` archives those that are read. */
  markAll(change: 'read' | 'archive' | 'read-archive'): void {
    const { tabs, tab } = this.current;
    const body = tabs[tab]?.filter ?? {};
    const send = (): Promise<unknown> => this.api.call('POST', `notifications/${change}`, { body });
    const isOfRead = change === 'read-archive';
    const meant = shownIn(this.current).filter(({ isSnoozed, isRead }) => !isSnoozed && (isRead || !isOfRead));
    const ids = meant.map(({ id }) => id);
    this.change(ids, isOfRead ? PATCHES.archive : ofGroup(PATCHES[change]), send);
  }

  /** With all of their groups. */
  markSeen(ids: readonly string[]): void {
    const meant = shownIn(this.current).filter(({ id, isSeen }) => !isSeen && ids.includes(id));
    const patch: Patch = (item) => ({ ...item, isSeen: true });
    const send = (body: object) => () => this.api.call('POST', 'notifications/seen', { body });
    const see = (seen: readonly string[], body: object): void => this.change(seen, patch, send(body));
    for (const { id, group } of meant) if (group && group.count > 1) see([id], { groupKey: group.key });
    const alone = meant.filter(({ group }) => (group?.count ?? 1) === 1).map(({ id }) => id);
    for (let at = 0; at < alone.length; at += MAX_SEEN_AT_ONCE) {
      const notificationIds = alone.slice(at, at + MAX_SEEN_AT_ONCE);
      see(notificationIds, { notificationIds });
    }
  }

  private patch(id: string, change: string, patch: Patch, body?: object): void {
    const send = (): Promise<unknown> => this.api.call('PATCH', `notifications/${id}/${change}`, { body });
    this.change([id], patch, send);
  }

  /** Shows the change at once, and sends it; if Herald refuses it, the list is read again. */
  private change(
    ids: readonly string[],
    patch: (item: InboxNotification) => InboxNotification | undefined,
    send: () => Promise<unknown>,
  ): void {
    for (const id of ids) this.changedAt.set(id, Number.POSITIVE_INFINITY);
    const after = changeShown(this.current, ids, patch, (item) => this.readIn.set(item, this.epoch));
    const counted = after.unread === this.current.unread ? undefined : this.counts.change();
    this.set({ ...after, error: undefined });
    this.outbox.add({
      send,
      done: (refused) => {
        this.clock += 1;
        for (const id of ids) this.changedAt.set(id, refused ? 0 : this.clock);
        if (refused) this.set({ error: refused });
        // The stream announces changes as well, but possibly before the list that a notification has moved to could show it.
        const listed = new Set(this.current.items.map(({ id }) => id));
        if (refused || this.current.status !== 'live' || !ids.every((id) => listed.has(id))) this.outdate();
        counted?.(refused !== undefined);
      },
    });
  }

  /** Takes what the session tells. */
  private async adopt(): Promise<void> {
    const take = this.counts.ask();
    const session = await this.api.open().catch(() => undefined);
    if (session === undefined || this.session === session) return;
    this.session = session;
    this.set({ maxSnoozeHours: session.maxSnoozeDurationHours });
    take({ unread: session.unreadCount.total });
    this.sync();
  }

  private hear(news: LiveNews): void {
    if (news.kind === 'status') this.set({ status: news.status, error: news.error });
    else if (news.kind === 'message') this.arrived(news.message);
    else if (news.kind === 'counts') {
      this.counts.tell(news.counts);
      this.outdate();
    } else {
      this.outbox.flush();
      void this.adopt();
      this.outdate();
      if (this.current.status === 'polling') void this.counts.read();
      else this.counts.readIfDue();
    }
  }

  private arrived({ _id: id, createdAt, subject, content }: LiveMessage): void {
    const body = typeof content === 'string' ? content : '';
    this.expected.push(createdAt);
    for (const listener of this.arrivals) listener({ id, body, ...(subject !== undefined && { subject }) });
    this.sync();
  }

  /** Something may have changed that was read before. */
  private outdate(): void {
    this.epoch += 1;
    this.sync();
  }

  private isStale(item: InboxNotification): boolean {
    return this.readIn.get(item) !== this.epoch;
  }

  /** One at a time; what is wanted meanwhile is done afterwards. */
  private sync(): void {
    if (!this.isShown) return;
    this.isSyncWanted = true;
    this.syncing ??= this.syncWhileWanted().finally(() => {
      this.syncing = undefined;
    });
  }

  private readAgainIn(ms = READ_AGAIN_MS): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      if (this.current.status !== 'live') return;
      this.sync();
      this.counts.readIfDue();
    }, ms);
  }

  private async syncWhileWanted(): Promise<void> {
    // After `sync` has noted that this is under way.
    await Promise.resolve();
    for (let rounds = 0; this.isSyncWanted; rounds += 1) {
      if (rounds > 0) await new Promise((resolve) => setTimeout(resolve, SYNC_EVERY_MS));
      if (!this.isShown || this.current.status === 'idle') return;
      this.isSyncWanted = false;
      const isRead = (await this.readTop()) && (await this.readVisible()) && (await this.readGroup());
      if (isRead && this.current.tabs.length > 1) await this.counts.read();
    }
  }

  /** From the top to what is known, with an overlap. @returns false if that failed */
  private async readTop(): Promise<boolean> {
    const { items, isLoaded } = this.current;
    const newest = items[0] && new Date(Date.parse(items[0].createdAt) - OVERLAP_MS).toISOString();
    const expected = this.expected;
    const until = [...expected, ...(newest === undefined ? [] : [newest])].sort()[0];
    const limit = isLoaded && items.length > PAGE ? LARGE_PAGE : PAGE;
    const isRead = await this.read(limit, undefined, isLoaded ? until : undefined);
    if (isRead) this.expected = this.expected.filter((time) => !expected.includes(time));
    return isRead;
  }

  private async readVisible(): Promise<boolean> {
    const [first, last] = this.visible;
    // What was changed here and is not confirmed yet stays stale.
    for (let pages = 0; pages < MAX_VISIBLE_PAGES; pages += 1) {
      const { items } = this.current;
      const at = items.findIndex((item, place) => place >= first && place <= last && this.isStale(item));
      if (at < 0) return true;
      if (!(await this.read(LARGE_PAGE, items[at - 1]))) return false;
    }
    return true;
  }

  /** @param until as in `InboxApi.list` */
  private read(limit: number, after?: InboxNotification, until?: string): Promise<boolean> {
    const { clock, epoch } = this;
    return this.reading(async (filter) => {
      const page = await this.api.list({ ...filter, grouped: true }, limit, after?.id, until);
      return () => {
        const { items, hasMore } = mergePage(this.current, page, after, (id) => this.isChangedSince(clock, id));
        const read = new Set(page.data.map(({ id }) => id));
        for (const item of items) if (read.has(item.id)) this.readIn.set(item, epoch);
        this.set({ items, hasMore, isLoaded: true });
      };
    });
  }

  private async readGroup(): Promise<boolean> {
    const { clock } = this;
    const { openGroup: asked } = this.current;
    if (asked === undefined) return true;
    return this.reading(async (filter) => {
      const { data } = await this.api.list({ ...filter, groupKey: asked.key }, LARGE_PAGE);
      return () => {
        const { openGroup } = this.current;
        if (openGroup?.key !== asked.key) return;
        this.set({ openGroup: mergeGroup(openGroup, data, (id) => this.isChangedSince(clock, id)) });
      };
    });
  }

  private isChangedSince(clock: number, id: string): boolean {
    return (this.changedAt.get(id) ?? 0) > clock;
  }

  /** @param read @returns takes what was read, unless another list was chosen meanwhile @returns false if that failed */
  private async reading(read: (filter: Readonly<Record<string, unknown>>) => Promise<() => void>): Promise<boolean> {
    const { chosen } = this;
    const { view, tabs, tab } = this.current;
    this.set({ isLoading: true });
    try {
      const take = await read(filterOf(view, tabs[tab]?.filter));
      if (chosen === this.chosen) take();
      return true;
    } catch (error) {
      if (!(error instanceof InboxError)) return false;
      if (!error.isPassing) this.set({ error });
      // Where Herald is not reached, the live connection notices it as well, and reports a gap when Herald is back.
      else this.readAgainIn(error.retryAfterMs);
      return false;
    } finally {
      this.set({ isLoading: false });
    }
  }

  private set(change: Partial<InboxState>): void {
    this.current = { ...this.current, ...change };
    if (this.isTelling) return;
    this.isTelling = true;
    // Once, however many changes are made together.
    queueMicrotask(() => {
      this.isTelling = false;
      for (const listener of this.listeners) listener();
    });
  }
}
