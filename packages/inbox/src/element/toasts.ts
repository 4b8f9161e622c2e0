import type { InboxArrival } from '../store/index.js';
import { contentOf } from './content.js';
import { h, iconButton } from './dom.js';
import type { InboxLabels } from './labels.js';

const SHOWN_MS = 6_000;
const MOST = 3;

interface ToastContext {
  readonly labels: InboxLabels;
  readonly onOpen: () => void;
}

/** Messages that have just come, in a corner of the page for some seconds. Readers of screens hear of them by the status. */
export class Toasts {
  readonly element = h('div', { class: 'toasts', part: 'toasts' });
  private readonly timers = new Map<HTMLElement, ReturnType<typeof setTimeout>>();

  constructor(private readonly context: ToastContext) {
    if ('popover' in this.element) this.element.popover = 'manual';
  }

  show({ subject, body }: InboxArrival): void {
    const { labels, onOpen } = this.context;
    const toast = h('div', { class: 'toast', part: 'toast' });
    const open = h(
      'button',
      { type: 'button', class: 'toast-text', dir: 'auto', click: () => (this.clear(), onOpen()) },
      subject !== undefined && h('b', {}, subject),
      h('span', {}, contentOf(body).textContent ?? ''),
    );
    toast.append(
      open,
      iconButton('close', labels.close, () => this.remove(toast)),
    );
    const wait = (): void => this.hideLater(toast);
    const stay = (): void => clearTimeout(this.timers.get(toast));
    for (const name of ['pointerenter', 'focusin']) toast.addEventListener(name, stay);
    for (const name of ['pointerleave', 'focusout']) toast.addEventListener(name, wait);
    toast.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      event.preventDefault();
      this.remove(toast);
    });
    while (this.element.childElementCount >= MOST) this.remove(this.element.firstElementChild as HTMLElement);
    this.element.append(toast);
    // In the top layer, above what opened before.
    if (this.element.popover) {
      if (this.element.matches(':popover-open')) this.element.hidePopover();
      this.element.showPopover();
    }
    wait();
  }

  clear(): void {
    for (const toast of [...this.element.children]) this.remove(toast as HTMLElement);
  }

  private hideLater(toast: HTMLElement): void {
    clearTimeout(this.timers.get(toast));
    this.timers.set(
      toast,
      setTimeout(() => this.remove(toast), SHOWN_MS),
    );
  }

  private remove(toast: HTMLElement): void {
    clearTimeout(this.timers.get(toast));
    this.timers.delete(toast);
    toast.remove();
    if (this.element.childElementCount === 0 && this.element.popover && this.element.matches(':popover-open')) {
      this.element.hidePopover();
    }
  }
}
