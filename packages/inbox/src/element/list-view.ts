import { type InboxNotification, type InboxState, type InboxStore, type InboxView } from '../store/index.js';
import { h, setAttribute } from './dom.js';
import { filled, type InboxLabels } from './labels.js';
import { drawRow, type RowContext, type ToolName } from './row.js';
import { drawSnooze } from './snooze.js';
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
  private readonly list: VirtualList<InboxNotification>;
  private seen: ReturnType<typeof setTimeout> | undefined;
  private inSight = '';
  private shownTabs: InboxState['tabs'] | undefined;
  /** Open choices stay open when their row is drawn anew. */
  private snoozing: { readonly id: string; readonly choices: HTMLElement } | undefined;

  constructor(private readonly context: ListContext) {
    const { store, labels } = context;
    this.list = new VirtualList({
      draw: (item) => this.drawRow(item),
      onVisible: (first, last) => this.onVisible(first, last),
      onNearEnd: () => void store.loadMore(),
    });
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
    this.list.show(items, hasMore, isLoading && unsent === 0, labels.title);
  }

  /** Texts that depend on the time, such as "5 minutes ago". */
  redraw(): void {
    this.list.redraw();
  }

  stop(): void {
    clearTimeout(this.seen);
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

  private drawRow(item: InboxNotification): HTMLElement {
    const { store, labels, language, onOpen, onAction } = this.context;
    const canSnooze = store.state.maxSnoozeHours > 0;
    const onTool: RowContext['onTool'] = (of, tool) => this.onTool(of, tool);
    const row = drawRow(item, { labels, language, canSnooze, onOpen, onAction, onTool });
    if (this.snoozing?.id === item.id) row.querySelector('.main')?.append(this.snoozing.choices);
    return row;
  }

  private onTool(item: InboxNotification, tool: ToolName): void {
    if (tool === 'snooze') this.toggleSnooze(item.id);
    else this.context.store.mark(item.id, tool);
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
    store.setVisible(first, last);
    const ids = store.state.items.slice(first, last + 1).map(({ id }) => id);
    if (String(ids) === this.inSight) return;
    this.inSight = String(ids);
    clearTimeout(this.seen);
    this.seen = setTimeout(() => {
      store.markSeen(ids);
    }, SEEN_AFTER_MS);
  }
}

function noteOf({ status, unsent, error }: InboxState, labels: InboxLabels): string {
  if (status === 'refused') return `${labels.refused} ${error?.message ?? ''}`;
  return [
    status === 'offline' && labels.offline,
    status === 'offline' && unsent > 0 && filled(labels.unsent, unsent),
    error && `${labels.failed} ${error.message}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The server counts to 99. */
export function countText(count: number): string {
  return count >= 99 ? '99+' : count > 0 ? String(count) : '';
}
