import { type InboxState, type InboxStore, type InboxView } from '../store/index.js';
import { h, setAttribute } from './dom.js';
import { filled, type InboxLabels } from './labels.js';
import { drawRow, isUnread, type RowContext, type ToolName } from './row.js';
import { dayNames, type ListRow, rowsOf } from './rows.js';
import { drawSnooze } from './snooze.js';
import { listenToSwipes, type SwipeAction } from './swipe.js';
import { VirtualList } from './virtual-list.js';

const VIEWS = ['inbox', 'unread', 'archived', 'snoozed'] as const;
/** So long a notification is in sight before it counts as seen. */
const SEEN_AFTER_MS = 1_000;

export interface ListContext extends Pick<RowContext, 'onOpen' | 'onAction'> {
  readonly store: InboxStore;
  readonly labels: InboxLabels;
  readonly language: string;
}

/** Tabs, the choice of a view, and the list. */
export class ListView {
  readonly element: HTMLElement;
  private readonly tabs: HTMLElement;
  private readonly view: HTMLSelectElement;
  private readonly note = h('p', { class: 'note muted', role: 'status', part: 'note' });
  private readonly empty = h('p', { class: 'empty', part: 'empty' });
  private readonly panel: HTMLElement;
  private readonly list: VirtualList<ListRow>;
  private readonly dayOf: (time: string) => string;
  private rows: readonly ListRow[] = [];
  private seen: ReturnType<typeof setTimeout> | undefined;
  private inSight = '';
  private shownTabs: InboxState['tabs'] | undefined;
  /** Open choices stay open when their row is drawn anew. */
  private snoozing: { readonly id: string; readonly choices: HTMLElement } | undefined;

  constructor(private readonly context: ListContext) {
    const { store, labels } = context;
    this.list = new VirtualList({
      draw: (row) => this.drawRow(row),
      onVisible: (first, last) => this.onVisible(first, last),
      onNearEnd: () => void store.loadMore(),
    });
    this.dayOf = dayNames(context.language);
    listenToSwipes(this.list.element, (id) => this.swipesOf(id));
    this.tabs = h('div', {
      class: 'tabs',
      role: 'tablist',
      part: 'tabs',
      'aria-label': labels.title,
      keydown: (event) => this.onTabKey(event as KeyboardEvent),
    });
    const texts = {
      inbox: labels.viewInbox,
      unread: labels.viewUnread,
      archived: labels.viewArchived,
      snoozed: labels.viewSnoozed,
    };
    this.view = h(
      'select',
      { part: 'view', 'aria-label': labels.view, change: () => store.show({ view: this.view.value as InboxView }) },
      ...VIEWS.map((name) => h('option', { value: name }, texts[name])),
    );
    this.panel = this.list.element;
    this.panel.id = 'list';
    this.panel.append(this.empty);
    const all = (label: string, change: 'read' | 'read-archive'): HTMLElement =>
      h('button', { type: 'button', part: 'bar-button', click: () => store.markAll(change) }, label);
    this.element = h(
      'div',
      { class: 'view' },
      this.tabs,
      h(
        'div',
        { class: 'bar', part: 'bar' },
        h('label', {}, this.view),
        all(labels.readAll, 'read'),
        all(labels.archiveRead, 'read-archive'),
      ),
      this.note,
      this.panel,
    );
  }

  update(state: InboxState): void {
    const { labels } = this.context;
    const { items, hasMore, isLoading, isLoaded, view, unsent, status, error } = state;
    this.updateTabs(state);
    this.view.value = view;
    this.note.textContent = noteOf(state, labels);
    this.empty.hidden = items.length > 0;
    this.empty.textContent = isLoaded ? labels.empty : status === 'refused' || error ? '' : labels.loading;
    const { snoozing } = this;
    if (snoozing && !items.some(({ id }) => id === snoozing.id)) this.snoozing = undefined;
    const known = new Map(this.rows.map((row) => [row.id, row]));
    this.rows = rowsOf(state, this.dayOf, known);
    this.list.show(this.rows, hasMore, isLoading && unsent === 0, labels.title);
  }

  /** Texts that depend on the time, such as "5 minutes ago". */
  redraw(): void {
    this.update(this.context.store.state);
    this.list.redraw();
  }

  stop(): void {
    clearTimeout(this.seen);
  }

  /** @returns whether there was something open in the list */
  closeInner(): boolean {
    const { snoozing } = this;
    if (snoozing === undefined) return false;
    this.toggleSnooze(snoozing.id);
    this.list.row(snoozing.id)?.querySelector<HTMLElement>('[data-key=snooze]')?.focus();
    return true;
  }

  private updateTabs({ tabs, tab, tabCounts }: InboxState): void {
    this.tabs.hidden = tabs.length < 2;
    if (this.tabs.hidden) return;
    if (this.shownTabs !== tabs) {
      this.shownTabs = tabs;
      this.tabs.replaceChildren(
        ...tabs.map(({ label }, place) =>
          h(
            'button',
            {
              type: 'button',
              role: 'tab',
              part: 'tab',
              id: `tab-${place}`,
              'aria-controls': 'list',
              click: () => this.choose(place),
            },
            label,
            h('span', { class: 'count', part: 'tab-count' }),
          ),
        ),
      );
    }
    [...this.tabs.children].forEach((element, place) => {
      setAttribute(element, 'aria-selected', String(place === tab));
      setAttribute(element, 'tabindex', place === tab ? 0 : -1);
      const count = tabCounts[place] ?? 0;
      const badge = element.lastElementChild as HTMLElement;
      badge.hidden = count === 0;
      badge.textContent = countText(count);
    });
    setAttribute(this.panel, 'role', 'tabpanel');
    setAttribute(this.panel, 'aria-labelledby', `tab-${tab}`);
  }

  private choose(place: number): void {
    this.context.store.show({ tab: place });
    (this.tabs.children[place] as HTMLElement).focus();
  }

  private onTabKey(event: KeyboardEvent): void {
    const { tab, tabs } = this.context.store.state;
    const forwards = getComputedStyle(this.tabs).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const step = event.key === forwards ? 1 : /^Arrow(?:Left|Right)$/.test(event.key) ? -1 : 0;
    const to =
      event.key === 'Home' ? 0 : event.key === 'End' ? tabs.length - 1 : (tab + step + tabs.length) % tabs.length;
    if (to === tab) return;
    event.preventDefault();
    this.choose(to);
  }

  private drawRow(row: ListRow): HTMLElement {
    const { store, labels, language, onOpen, onAction } = this.context;
    const element = drawRow(row, {
      labels,
      language,
      // A group is not snoozed: its next message would stand alone.
      canSnooze: store.state.maxSnoozeHours > 0 && !isWholeGroup(row),
      onOpen,
      onAction,
      onTool: (_item, tool) => this.onTool(row, tool),
      onGroup: ({ group }) => store.openGroup(row.isOpen ? undefined : group?.key),
    });
    if (this.snoozing?.id === row.id) element.querySelector('.main')?.append(this.snoozing.choices);
    return element;
  }

  private onTool(row: ListRow, tool: ToolName): void {
    const { store } = this.context;
    if (tool === 'snooze') this.toggleSnooze(row.id);
    else if (isWholeGroup(row) && (tool === 'read' || tool === 'archive')) store.markGroup(row.item, tool);
    else store.mark(row.id, tool);
  }

  private swipesOf(id: string): { readonly start: SwipeAction; readonly end: SwipeAction } | undefined {
    const row = this.rows.find((one) => one.id === id);
    if (row === undefined || row.item.isSnoozed) return undefined;
    const { labels } = this.context;
    const action = (tool: Exclude<ToolName, 'snooze' | 'unsnooze'>, label: string): SwipeAction => ({
      icon: tool,
      label,
      done: () => this.onTool(row, tool),
    });
    return {
      start: row.item.isArchived ? action('unarchive', labels.unarchive) : action('archive', labels.archive),
      end: isUnread(row) ? action('read', labels.read) : action('unread', labels.markUnread),
    };
  }

  private toggleSnooze(id: string): void {
    const { store, labels } = this.context;
    const before = this.snoozing;
    before?.choices.remove();
    this.snoozing = undefined;
    if (before?.id !== id) {
      const choices = drawSnooze(labels, store.state.maxSnoozeHours, (until) => store.snooze(id, until));
      this.snoozing = { id, choices };
      this.list.row(id)?.querySelector('.main')?.append(choices);
      choices.querySelector('button')?.focus();
    }
    this.list.resized();
  }

  private onVisible(first: number, last: number): void {
    const { store } = this.context;
    const ids = this.rows.slice(first, last + 1).map(({ id }) => id);
    const listed = store.state.items.flatMap(({ id }, place) => (ids.includes(id) ? [place] : []));
    if (listed.length > 0) store.setVisible(listed[0] ?? 0, listed.at(-1) ?? 0);
    if (String(ids) === this.inSight) return;
    this.inSight = String(ids);
    clearTimeout(this.seen);
    this.seen = setTimeout(() => {
      store.markSeen(ids);
    }, SEEN_AFTER_MS);
  }
}

/** A closed row stands for all of its group. */
function isWholeGroup({ item, isOpen }: ListRow): boolean {
  return !isOpen && (item.group?.count ?? 1) > 1;
}

/** For readers: what Herald says to developers is in the console of the browser. */
function noteOf({ status, unsent, error }: InboxState, labels: InboxLabels): string {
  if (status === 'refused') return labels.refused;
  return [
    status === 'offline' && labels.offline,
    status === 'offline' && unsent > 0 && filled(labels.unsent, unsent),
    error && labels.failed,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The server counts to 99. */
export function countText(count: number): string {
  return count >= 99 ? '99+' : count > 0 ? String(count) : '';
}
