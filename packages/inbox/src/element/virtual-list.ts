import { h, setAttribute } from './dom.js';

/** Until a row was measured. */
const ESTIMATE = 92;
/** Pixels above and below that are drawn as well. */
const MARGIN = 400;
/** Rows before the end at which more are asked for. */
const AHEAD = 20;

export interface Row {
  readonly id: string;
}

interface Drawn<Item> {
  /** Undefined if it has to be drawn anew. */
  readonly item: Item | undefined;
  readonly element: HTMLElement;
}

export interface VirtualListOptions<Item extends Row> {
  readonly draw: (item: Item) => HTMLElement;
  /** Which rows are in sight. */
  readonly onVisible: (first: number, last: number) => void;
  readonly onNearEnd: () => void;
}

/** Draws the rows that are in sight, and the one that has the focus. Rows keep their place when others come above them. */
export class VirtualList<Item extends Row> {
  /** Scrolls. */
  readonly element: HTMLElement;
  private readonly feed: HTMLElement;
  private items: readonly Item[] = [];
  private hasMore = false;
  private readonly heights = new Map<string, number>();
  private tops = new Float64Array(1);
  private readonly drawn = new Map<string, Drawn<Item>>();
  private readonly resizes: ResizeObserver;
  /** Places of the drawn rows, in their order. */
  private places: readonly number[] = [];
  private width = 0;

  constructor(private readonly options: VirtualListOptions<Item>) {
    this.feed = h('div', {
      class: 'feed',
      role: 'feed',
      part: 'list',
      keydown: (event) => this.onKey(event as KeyboardEvent),
    });
    this.element = h('div', { class: 'scroll', scroll: () => this.render() }, this.feed);
    this.resizes = new ResizeObserver(() => {
      if (this.element.clientWidth !== this.width) this.heights.clear();
      this.width = this.element.clientWidth;
      this.render();
    });
    this.resizes.observe(this.element);
  }

  show(items: readonly Item[], hasMore: boolean, isBusy: boolean, label: string): void {
    const anchor = this.anchor();
    const focused = this.focusedIndex();
    const [lost, ...following] = focused < 0 ? [] : this.items.slice(focused).map(({ id }) => id);
    this.items = items;
    this.hasMore = hasMore;
    setAttribute(this.feed, 'aria-busy', String(isBusy));
    setAttribute(this.feed, 'aria-label', label);
    this.measure();
    if (anchor !== undefined) this.restore(anchor);
    this.render();
    const places = new Map(items.map(({ id }, at) => [id, at]));
    if (lost === undefined || places.has(lost)) return;
    // What was archived had the focus: the next one has it now.
    const next = following.find((id) => places.has(id));
    this.focus(next === undefined ? items.length - 1 : (places.get(next) ?? 0));
  }

  /** Draws all rows anew. */
  redraw(): void {
    this.heights.clear();
    for (const [id, { element }] of this.drawn) this.drawn.set(id, { item: undefined, element });
    this.render();
  }

  /** What is in a row has another height now. */
  resized(): void {
    this.render();
  }

  row(id: string): HTMLElement | undefined {
    return this.drawn.get(id)?.element;
  }

  focus(index: number): void {
    const item = this.items[index];
    if (item === undefined) return;
    const { element } = this;
    const top = this.tops[index] ?? 0;
    const bottom = this.tops[index + 1] ?? top;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    this.render();
    this.row(item.id)?.focus({ preventScroll: true });
  }

  private focusedIndex(): number {
    const root = this.feed.getRootNode() as ShadowRoot | Document;
    const row = root.activeElement?.closest<HTMLElement>('.item');
    return row ? this.items.findIndex(({ id }) => id === row.dataset['id']) : -1;
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.focusedIndex();
    if (at < 0 || /^(?:INPUT|SELECT)$/.test((event.composedPath()[0] as Element).tagName)) return;
    const last = this.items.length - 1;
    const to = { ArrowDown: at + 1, PageDown: at + 1, ArrowUp: at - 1, PageUp: at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.focus(Math.max(0, Math.min(last, to)));
  }

  private anchor(): { readonly id: string; readonly offset: number } | undefined {
    const { scrollTop } = this.element;
    const at = this.indexAt(scrollTop);
    const item = this.items[at];
    return scrollTop > 0 && item ? { id: item.id, offset: scrollTop - (this.tops[at] ?? 0) } : undefined;
  }

  private restore({ id, offset }: { readonly id: string; readonly offset: number }): void {
    const at = this.items.findIndex((item) => item.id === id);
    if (at >= 0) this.element.scrollTop = (this.tops[at] ?? 0) + offset;
  }

  private measure(): void {
    this.tops = new Float64Array(this.items.length + 1);
    this.items.forEach(({ id }, at) => {
      this.tops[at + 1] = (this.tops[at] ?? 0) + (this.heights.get(id) ?? ESTIMATE);
    });
    this.feed.style.height = `${this.tops[this.items.length] ?? 0}px`;
  }

  private indexAt(y: number): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.tops[middle + 1] ?? 0) > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private render(): void {
    const { element, items } = this;
    const height = element.clientHeight;
    if (height === 0) return;
    // Heights are known once rows are drawn, which can bring others into sight.
    for (let round = 0; round < 4; round += 1) {
      const anchor = this.anchor();
      const first = this.indexAt(element.scrollTop - MARGIN);
      const last = Math.min(items.length - 1, this.indexAt(element.scrollTop + height + MARGIN));
      this.draw(first, last);
      if (!this.hasNewHeights()) break;
      this.measure();
      if (anchor !== undefined) this.restore(anchor);
    }
    this.place();
    const first = this.indexAt(element.scrollTop);
    const last = Math.min(items.length - 1, this.indexAt(element.scrollTop + height - 1));
    if (items.length > 0) this.options.onVisible(first, last);
    if (this.hasMore && last + AHEAD >= items.length) this.options.onNearEnd();
  }

  private draw(first: number, last: number): void {
    const focused = this.focusedIndex();
    const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
    if (focused >= 0 && !places.includes(focused)) places.push(focused);
    this.places = places.sort((one, other) => one - other);
    const wanted = new Map(this.placed().map(({ item }) => [item.id, item]));
    for (const [id, { element }] of this.drawn) {
      if (wanted.has(id)) continue;
      this.drawn.delete(id);
      element.remove();
    }
    for (const [id, item] of wanted) {
      const before = this.drawn.get(id);
      if (before?.item === item) continue;
      this.heights.delete(id);
      this.drawn.set(id, { item, element: this.redrawn(item, before?.element) });
    }
    this.sort();
  }

  /** Keeps the focus on the same element if it is in the new row as well, or on the control that has the same key. */
  private redrawn(item: Item, before: HTMLElement | undefined): HTMLElement {
    const root = this.feed.getRootNode() as ShadowRoot | Document;
    const { activeElement } = root;
    const had = before?.contains(activeElement) === true ? (activeElement as HTMLElement) : undefined;
    const after = this.options.draw(item);
    if (before) before.replaceWith(after);
    else this.feed.append(after);
    if (had) {
      const key = had.getAttribute('data-key');
      const same = after.contains(had) ? had : after.querySelector<HTMLElement>(`[data-key="${key}"]`);
      (same ?? after).focus({ preventScroll: true });
    }
    return after;
  }

  /** Readers follow the order of the document. */
  private sort(): void {
    let at = this.feed.firstElementChild;
    for (const { item, place } of this.placed()) {
      const element = this.drawn.get(item.id)?.element;
      if (!element) continue;
      setAttribute(element, 'aria-posinset', place + 1);
      setAttribute(element, 'aria-setsize', this.hasMore ? -1 : this.items.length);
      if (element === at) at = element.nextElementSibling;
      else this.feed.insertBefore(element, at);
    }
  }

  private hasNewHeights(): boolean {
    let isNew = false;
    for (const [id, { element }] of this.drawn) {
      const { offsetHeight } = element;
      if (this.heights.get(id) === offsetHeight) continue;
      this.heights.set(id, offsetHeight);
      isNew = true;
    }
    return isNew;
  }

  private place(): void {
    for (const { item, place: at } of this.placed()) {
      const element = this.drawn.get(item.id)?.element;
      if (element) element.style.transform = `translateY(${this.tops[at] ?? 0}px)`;
    }
  }

  private placed(): { readonly item: Item; readonly place: number }[] {
    return this.places.flatMap((place) => {
      const item = this.items[place];
      return item ? [{ item, place }] : [];
    });
  }
}
