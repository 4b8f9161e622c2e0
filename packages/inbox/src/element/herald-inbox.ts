import { type InboxFault, type InboxNotification, InboxPush, InboxStore, type InboxTab } from '../store/index.js';
import { safeUrl, textOf } from './content.js';
import { h, icon, setAttribute } from './dom.js';
import { directionOf, filled, type InboxLabels, labelsOf, loadLanguage } from './labels.js';
import { countText } from './list-view.js';
import { Panel } from './panel.js';
import { targetOf } from './row.js';
import { styleSheet } from './style.js';
import { Toasts } from './toasts.js';

/** So long a page waits, before a click leads away from it, for Herald to know of the click. */
const LEAVE_WITHIN_MS = 1_000;
/** Attributes that make another inbox. */
const IDENTITY = ['backend-url', 'application-identifier', 'subscriber-id', 'subscriber-hash'] as const;
const LOOKS = ['inline', 'lang', 'theme', 'badge', 'push-worker', 'tabs', 'open', 'compact', 'toast'] as const;
const DARK = '(prefers-color-scheme: dark)';

/**
 * The inbox of a subscriber: a bell with a badge, and a panel with the list and the preferences.
 * @fires herald-select a notification was clicked; if it is prevented, the element does not follow its link
 * @fires herald-action a button was clicked; likewise
 * @fires herald-message a message has come
 * @fires herald-counts the numbers of unread and unseen messages have changed
 * @fires herald-error the session or a change was refused
 * @fires herald-toggle the panel was opened or closed
 */
export class HeraldInbox extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [...IDENTITY, ...LOOKS];
  /** Address of Herald where `backend-url` is absent. The script that Herald serves sets its own. */
  static backendUrl: string | undefined;

  private running: InboxStore | undefined;
  private panel: Panel | undefined;
  private bell: HTMLButtonElement | undefined;
  private readonly status = h('p', { class: 'hidden', role: 'status' });
  private leaving = new AbortController();
  private ownLabels: Partial<InboxLabels> = {};
  private ownTabs: readonly InboxTab[] | undefined;
  private isRestarting = false;
  private told = '';
  private toldError: unknown;
  private toasts: Toasts | undefined;
  /** Undefined until it is drawn. */
  private wasShown: boolean | undefined;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [styleSheet()];
  }

  /** What the element shows. Undefined while it is not in a page, or lacks an attribute that it needs. */
  get store(): InboxStore | undefined {
    return this.running;
  }

  get tabs(): readonly InboxTab[] {
    return this.ownTabs ?? tabsIn(this.getAttribute('tabs'));
  }

  set tabs(tabs: readonly InboxTab[] | undefined) {
    if (JSON.stringify(tabs) === JSON.stringify(this.ownTabs)) return;
    this.ownTabs = tabs;
    this.restart();
  }

  /** Texts instead of those of the language. */
  get labels(): Partial<InboxLabels> {
    return this.ownLabels;
  }

  set labels(labels: Partial<InboxLabels> | undefined) {
    if (JSON.stringify(labels ?? {}) === JSON.stringify(this.ownLabels)) return;
    this.ownLabels = labels ?? {};
    this.restart();
  }

  get open(): boolean {
    return this.hasAttribute('open');
  }

  set open(isOpen: boolean) {
    this.toggleAttribute('open', isOpen);
  }

  connectedCallback(): void {
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    const reposition = (): void => {
      if (this.open && this.bell) this.panel?.place(this.bell);
    };
    addEventListener('resize', reposition, { signal });
    addEventListener('scroll', reposition, { signal, capture: true, passive: true });
    addEventListener('pagehide', () => this.running?.stop(), { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && this.running?.start(), { signal });
    matchMedia(DARK).addEventListener('change', () => this.applyTheme(), { signal });
    addEventListener('pointerdown', (event) => this.onPointer(event), { signal });
    this.begin();
  }

  disconnectedCallback(): void {
    this.leaving.abort();
    this.end();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return;
    if (name === 'open') this.applyOpen();
    else if (name === 'theme') this.applyTheme();
    else if (name === 'badge' || name === 'toast') this.update();
    else this.restart();
  }

  /** Once, after all attributes that change together. */
  private restart(): void {
    if (!this.isConnected || this.isRestarting) return;
    this.isRestarting = true;
    queueMicrotask(() => {
      this.isRestarting = false;
      if (!this.isConnected) return;
      this.end();
      this.begin();
    });
  }

  private begin(): void {
    const [backendUrl = HeraldInbox.backendUrl, applicationIdentifier, subscriberId, subscriberHash] = IDENTITY.map(
      (name) => this.getAttribute(name) ?? undefined,
    );
    this.applyTheme();
    void loadLanguage(this.language)?.then(() => this.restart());
    if (!backendUrl || !applicationIdentifier || !subscriberId) return;
    this.running = new InboxStore({
      backendUrl,
      applicationIdentifier,
      subscriberId,
      tabs: this.tabs,
      ...(subscriberHash !== undefined && { subscriberHash }),
    });
    this.draw(this.running);
    this.running.subscribe(() => this.update());
    this.running.onArrival((arrival) => {
      this.status.textContent = filled(this.texts.arrived, arrival.subject ?? textOf(arrival.body));
      this.tell('message', arrival);
      const isWatched = this.wasShown === true || document.visibilityState === 'hidden';
      if (this.hasAttribute('toast') && !isWatched) this.toasts?.show(arrival);
    });
    this.running.start();
    this.applyOpen();
    this.update();
  }

  private end(): void {
    this.panel?.stop();
    this.toasts?.clear();
    this.running?.stop();
    this.running = undefined;
    this.wasShown = undefined;
    this.shadowRoot?.replaceChildren();
  }

  private get language(): string {
    const nearest = this.closest<HTMLElement>('[lang]')?.lang || document.documentElement.lang || navigator.language;
    return Intl.DateTimeFormat.supportedLocalesOf(isTag(nearest) ? nearest : 'en')[0] ?? 'en';
  }

  private get texts(): InboxLabels {
    return labelsOf(this.language, this.ownLabels);
  }

  private draw(store: InboxStore): void {
    const isInline = this.hasAttribute('inline');
    const worker = this.getAttribute('push-worker');
    this.panel = new Panel({
      store,
      labels: this.texts,
      language: this.language,
      push: worker === null ? undefined : new InboxPush(store.api, worker),
      onFault: (error) => this.report(error),
      onClose: isInline ? undefined : () => this.closeByUser(),
      onOpen: (event, item) => this.onOpen(event, item),
      onAction: (event, item, type) => this.onAction(event, item, type),
    });
    this.toasts = new Toasts({ labels: this.texts, onOpen: () => (this.open = true) });
    const badge = h('span', { class: 'badge', part: 'badge', 'aria-hidden': 'true' });
    const look = h('slot', { name: 'bell' }, icon('bell'));
    const toggle = (): void => void this.toggleAttribute('open');
    const props = { type: 'button', class: 'bell', part: 'bell', 'aria-haspopup': 'dialog', click: toggle };
    this.bell = isInline ? undefined : h('button', props, look, badge);
    const root = h(
      'div',
      { dir: this.getAttribute('dir') ?? directionOf(this.language), lang: this.language, part: 'root' },
      this.bell,
      this.panel.element,
      this.toasts.element,
      this.status,
    );
    root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      const isOpen = this.open && !isInline;
      if (this.panel?.closeInner() !== true) {
        if (!isOpen) return;
        this.closeByUser();
      }
      // What the inbox stands in, such as a dialog, stays open.
      event.stopPropagation();
      event.preventDefault();
    });
    root.addEventListener('focusout', ({ relatedTarget }) => {
      // Without a target, the window or a part that takes no focus was clicked.
      if (relatedTarget instanceof Node && !root.contains(relatedTarget)) this.open = false;
    });
    this.shadowRoot?.replaceChildren(root);
  }

  private applyTheme(): void {
    const theme = this.getAttribute('theme');
    const isDark = theme === 'dark' || (theme !== 'light' && matchMedia(DARK).matches);
    this.toggleAttribute('data-dark', isDark);
  }

  private applyOpen(): void {
    const { panel, bell } = this;
    const isInline = this.hasAttribute('inline');
    const isShown = isInline || this.open;
    if (!panel) return;
    const isChanged = this.wasShown !== undefined && this.wasShown !== isShown;
    this.wasShown = isShown;
    this.running?.setShown(isShown);
    if (isShown) {
      panel.open(bell);
      this.toasts?.clear();
    } else panel.close();
    if (bell) {
      setAttribute(bell, 'aria-expanded', String(isShown));
      if (isShown && isChanged) panel.focus();
      this.update();
      if (isChanged) this.tell('toggle', { open: isShown });
    }
  }

  private closeByUser(): void {
    this.open = false;
    this.bell?.focus();
  }

  private onPointer(event: PointerEvent): void {
    if (this.open && !event.composedPath().includes(this)) this.open = false;
  }

  private update(): void {
    const state = this.running?.state;
    if (!state) return;
    const { unread, unseen, error } = state;
    const count = this.getAttribute('badge') === 'unseen' ? (unseen ?? 0) : unread;
    const { bell, texts } = this;
    if (bell) {
      const badge = bell.querySelector('.badge');
      if (badge) badge.textContent = countText(count);
      setAttribute(bell, 'aria-label', `${texts.title}, ${filled(texts.unreadCount, countText(unread) || 0)}`);
    }
    if (this.open || !bell) this.panel?.update(state);
    const told = `${unread} ${unseen}`;
    if (told !== this.told) this.tell('counts', { unread, unseen });
    this.told = told;
    if (error && error !== this.toldError) {
      this.tell('error', { error });
      this.report(error);
    }
    this.toldError = error;
  }

  /** Readers see a plain sentence. */
  private report(error: unknown): void {
    const { message = String(error), code } = error as Partial<InboxFault>;
    // eslint-disable-next-line no-console -- where developers of the page look
    console.error(`<herald-inbox>: ${message}${code === undefined ? '' : ` (${code})`}`);
  }

  private onOpen(event: Event, item: InboxNotification): void {
    const isAllowed = this.tell('select', { notification: item });
    this.running?.mark(item.id, 'read');
    this.follow(event, item, isAllowed);
  }

  private onAction(event: Event, item: InboxNotification, actionType: 'primary' | 'secondary'): void {
    const isAllowed = this.tell('action', { notification: item, actionType });
    this.running?.complete(item.id, actionType);
    this.follow(event, item[`${actionType}Action`] ?? {}, isAllowed);
  }

  /** Leaves the page only when Herald knows of the click. Links that open elsewhere are left to the browser. */
  private follow(event: Event, from: Pick<InboxNotification, 'redirect'>, isAllowed: boolean): void {
    const url = from.redirect && safeUrl(from.redirect.url);
    const target = targetOf(from);
    const isElsewhere = target !== '_self' || (event instanceof MouseEvent && (event.ctrlKey || event.metaKey));
    if (isAllowed && isElsewhere && event instanceof MouseEvent) return;
    event.preventDefault();
    if (url === undefined || !isAllowed) return;
    if (isElsewhere) return void window.open(url, target, 'noopener');
    const late = new Promise((resolve) => setTimeout(resolve, LEAVE_WITHIN_MS));
    void Promise.race([this.running?.settled(), late]).then(() => location.assign(url));
  }

  /** @returns false if a listener has prevented what comes next */
  private tell(name: string, detail: object): boolean {
    return this.dispatchEvent(
      new CustomEvent(`herald-${name}`, { detail, bubbles: true, composed: true, cancelable: true }),
    );
  }
}

function tabsIn(text: string | null): readonly InboxTab[] {
  if (text === null || text === '') return [];
  return JSON.parse(text) as readonly InboxTab[];
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}

export function defineInbox(): void {
  if (customElements.get('herald-inbox') === undefined) customElements.define('herald-inbox', HeraldInbox);
}
