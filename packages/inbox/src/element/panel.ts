import type { InboxState, InboxStore, InboxPush } from '../store/index.js';
import { h, iconButton, setAttribute } from './dom.js';
import type { InboxLabels } from './labels.js';
import { type ListContext, ListView } from './list-view.js';
import { PreferencesView } from './preferences-view.js';

const GAP = 8;
const WIDTH = 420;
const HEIGHT = 600;
/** Below this, a panel opens upwards if there is more room. */
const LOW = 320;
const MINUTE_MS = 60_000;

export interface PanelContext extends ListContext {
  readonly store: InboxStore;
  readonly labels: InboxLabels;
  readonly push: InboxPush | undefined;
  /** For developers. */
  readonly onFault: (error: unknown) => void;
  /** Absent where the panel is always there. */
  readonly onClose: (() => void) | undefined;
}

/** The list or the preferences, under a heading. */
export class Panel {
  readonly element: HTMLElement;
  private readonly title: HTMLElement;
  private readonly back: HTMLElement;
  private readonly cog: HTMLElement;
  private readonly list: ListView;
  private preferences: PreferencesView | undefined;
  private ticks: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly context: PanelContext) {
    const { labels, onClose } = context;
    this.list = new ListView(context);
    this.title = h('h2', { id: 'title', tabindex: -1, part: 'title' }, labels.title);
    this.back = iconButton('back', labels.back, () => this.showPreferences(false));
    this.cog = iconButton('preferences', labels.preferences, () => this.showPreferences(true));
    this.back.hidden = true;
    this.element = h(
      'div',
      { class: 'panel', part: 'panel', id: 'panel', role: onClose ? 'dialog' : 'region', 'aria-labelledby': 'title' },
      h(
        'header',
        { part: 'header' },
        this.back,
        this.title,
        this.cog,
        onClose && iconButton('close', labels.close, onClose),
      ),
      this.list.element,
    );
    if (onClose && 'popover' in this.element) this.element.popover = 'manual';
  }

  /** @param bell next to which the panel opens; absent: where it is */
  open(bell?: HTMLElement): void {
    this.element.classList.add('open');
    if (this.element.popover && !this.element.matches(':popover-open')) this.element.showPopover();
    if (bell) this.place(bell);
    this.ticks ??= setInterval(() => this.list.redraw(), MINUTE_MS);
  }

  close(): void {
    if (this.element.popover && this.element.matches(':popover-open')) this.element.hidePopover();
    this.element.classList.remove('open');
    this.stop();
  }

  stop(): void {
    clearInterval(this.ticks);
    this.ticks = undefined;
    this.list.stop();
  }

  /** Closes what was opened last in it. @returns false if there is nothing */
  closeInner(): boolean {
    if (this.preferences === undefined) return this.list.closeInner();
    this.showPreferences(false);
    return true;
  }

  focus(): void {
    this.title.focus();
  }

  update(state: InboxState): void {
    this.list.update(state);
  }

  place(bell: HTMLElement): void {
    const { left, right, top, bottom } = bell.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const isUpwards = clientHeight - bottom < LOW && top > clientHeight - bottom;
    const room = (isUpwards ? top : clientHeight - bottom) - 2 * GAP;
    const height = Math.min(this.size('--herald-height', HEIGHT), room);
    const width = Math.min(this.size('--herald-width', WIDTH), clientWidth - 2 * GAP);
    const start = getComputedStyle(bell).direction === 'rtl' ? left : right - width;
    const { style } = this.element;
    style.setProperty('--_width', `${width}px`);
    style.setProperty('--_height', `${height}px`);
    style.setProperty('--_left', `${Math.max(GAP, Math.min(start, clientWidth - width - GAP))}px`);
    style.setProperty('--_top', `${isUpwards ? top - GAP - height : bottom + GAP}px`);
  }

  private size(name: string, otherwise: number): number {
    return Number.parseFloat(getComputedStyle(this.element).getPropertyValue(name)) || otherwise;
  }

  private showPreferences(isShown: boolean): void {
    const { labels } = this.context;
    this.preferences?.element.remove();
    this.preferences = isShown ? new PreferencesView(this.context) : undefined;
    if (this.preferences) {
      this.element.append(this.preferences.element);
      void this.preferences.load();
    }
    this.list.element.hidden = isShown;
    this.back.hidden = !isShown;
    this.cog.hidden = isShown;
    this.title.textContent = isShown ? labels.preferences : labels.title;
    setAttribute(this.element, 'data-preferences', isShown);
    (isShown ? this.back : this.cog).focus();
  }
}
