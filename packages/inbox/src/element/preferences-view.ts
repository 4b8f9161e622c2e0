import {
  type ChannelName,
  type Channels,
  type DaySchedule,
  fromField,
  type InboxPreference,
  InboxPreferences,
  type InboxPush,
  type InboxStore,
  nextRange,
  type TimeRange,
  toField,
  WEEK_DAYS,
  type WeekDay,
  type WeeklySchedule,
  withDay,
} from '../store/index.js';
import { queue } from '../store/queue.js';
import { h, iconButton } from './dom.js';
import type { InboxLabels } from './labels.js';

const CHANNELS: readonly ChannelName[] = ['in_app', 'email', 'sms', 'chat', 'push'];
/** A Monday. */
const MONDAY = Date.UTC(2026, 5, 22);
const DAY_MS = 86_400_000;

interface PreferencesContext {
  readonly store: InboxStore;
  readonly labels: InboxLabels;
  readonly language: string;
  readonly push: InboxPush | undefined;
  /** For developers. */
  readonly onFault: (error: unknown) => void;
}

/** Channels of all and of single workflows, quiet hours, and push messages to this browser. */
export class PreferencesView {
  readonly element: HTMLElement;
  private readonly note = h('p', { class: 'muted', role: 'status' });
  private readonly content = h('div');
  private readonly preferences: InboxPreferences;
  private schedule: WeeklySchedule = { isEnabled: false };
  /** Each change starts from the result of the one before. */
  private readonly inOrder = queue();

  constructor(private readonly context: PreferencesContext) {
    this.preferences = new InboxPreferences(context.store.api);
    this.element = h('div', { class: 'settings', part: 'preferences', tabindex: -1 }, this.note, this.content);
  }

  async load(): Promise<void> {
    const { labels, push } = this.context;
    this.note.textContent = labels.loading;
    try {
      const [global, ...workflows] = await this.preferences.list();
      this.note.textContent = '';
      if (global === undefined) return;
      this.schedule = global.schedule ?? this.schedule;
      this.content.replaceChildren(
        h('h3', {}, labels.everything),
        ...this.channels(undefined, global.channels),
        ...this.workflows(workflows),
        ...this.scheduleFields(),
      );
      if (push) await this.addPush(push);
    } catch (error) {
      this.fail(error);
    }
  }

  /** In the order of the API, which has the workflows of a group together, and those without one last. */
  private workflows(preferences: readonly InboxPreference[]): HTMLElement[] {
    const { labels } = this.context;
    let above: string | undefined;
    return preferences.flatMap((preference, place) => {
      const group = preference.notificationGroup;
      const isNew = place > 0 && group?._id !== above;
      const begins = isNew || (place === 0 && group !== undefined);
      above = group?._id;
      const heading = begins ? [h('h3', { part: 'preference-group' }, group?.name ?? labels.other)] : [];
      const hint = begins && group?.description ? [h('p', { class: 'muted' }, group.description)] : [];
      return [...heading, ...hint, this.workflow(preference)];
    });
  }

  private workflow({ workflow, channels }: InboxPreference): HTMLElement {
    const { id, name } = workflow ?? { id: '', name: '' };
    return h('details', { part: 'workflow' }, h('summary', {}, name), ...this.channels(id, channels, `${name}: `));
  }

  private channels(workflowId: string | undefined, channels: Channels, prefix = ''): HTMLElement[] {
    const { labels } = this.context;
    return CHANNELS.flatMap((channel) => {
      const isEnabled = channels[channel];
      if (isEnabled === undefined) return [];
      const change = async (isOn: boolean): Promise<boolean> => {
        const { channels: now } = await this.preferences.setChannel(workflowId, channel, isOn);
        return now[channel] === true;
      };
      return [this.toggle(labels[channel], isEnabled, change, prefix + labels[channel])];
    });
  }

  /** @param change @returns what holds afterwards */
  private toggle(
    label: string,
    isOn: boolean,
    change: (isOn: boolean) => Promise<boolean>,
    name = label,
    inOrder = this.inOrder,
  ): HTMLLabelElement {
    const input = h('input', { type: 'checkbox', role: 'switch', part: 'switch', 'aria-label': name });
    input.checked = isOn;
    let clicks = 0;
    input.addEventListener('change', () => {
      const wanted = input.checked;
      const click = ++clicks;
      const show = (holds: boolean): void => {
        if (click === clicks) input.checked = holds;
      };
      this.note.textContent = '';
      inOrder(() => change(wanted)).then(show, (error: unknown) => {
        show(!wanted);
        this.fail(error);
      });
    });
    return h('label', {}, h('span', {}, label), input);
  }

  private scheduleFields(): HTMLElement[] {
    const { labels, language } = this.context;
    const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
    const fields = WEEK_DAYS.map((day, place) => this.day(day, format.format(MONDAY + place * DAY_MS)));
    const days = h('div', {}, h('p', { class: 'muted' }, labels.quietHint), ...fields);
    days.hidden = !this.schedule.isEnabled;
    const toggle = this.toggle(labels.quietHours, this.schedule.isEnabled, async (isEnabled) => {
      await this.save({ ...this.schedule, isEnabled });
      days.hidden = !this.schedule.isEnabled;
      return this.schedule.isEnabled;
    });
    return [h('h3', {}, labels.quietHours), toggle, days];
  }

  private day(name: WeekDay, label: string): HTMLElement {
    const now = (): DaySchedule => this.schedule.weeklySchedule?.[name] ?? { isEnabled: false };
    const save = (day: DaySchedule): Promise<void> => this.save(withDay(this.schedule, name, day));
    const toggle = this.toggle(label, now().isEnabled, async (isEnabled) => {
      await save({ ...now(), isEnabled });
      draw();
      return isEnabled;
    });
    const change = (changed: (hours: readonly TimeRange[]) => readonly TimeRange[], then = draw): void => {
      const made = this.inOrder(() => save({ ...now(), hours: changed(now().hours ?? []) }));
      made.then(then, (error: unknown) => this.fail(error));
    };
    const withNext = (hours: readonly TimeRange[]): readonly TimeRange[] => {
      const next = nextRange(hours);
      return next ? [...hours, next] : hours;
    };
    const drawAdded = (): void => {
      draw();
      ranges.at(-1)?.querySelector('input')?.focus();
    };
    const add = this.tool('add', label, () => change(withNext, drawAdded));
    const element = h('div', { class: 'day', 'data-day': name }, toggle, add);
    let ranges: readonly HTMLElement[] = [];
    const draw = (): void => {
      const { isEnabled, hours = [] } = now();
      const shown = isEnabled ? hours : [];
      add.hidden = shown.length === 0 || nextRange(shown) === undefined;
      // Fields keep what somebody is typing.
      if (shown.length === ranges.length) return;
      const { activeElement } = element.getRootNode() as ShadowRoot | Document;
      const isLost = ranges.some((range) => range.contains(activeElement));
      for (const range of ranges) range.remove();
      ranges = shown.map((range, place) => {
        const set = (part: Partial<TimeRange>): void =>
          change((all) => all.map((one, at) => (at === place ? { ...one, ...part } : one)));
        const fields = this.range(range, label, set);
        if (shown.length > 1) fields.append(this.tool('close', label, () => change((all) => all.toSpliced(place, 1))));
        return fields;
      });
      add.before(...ranges);
      if (isLost) toggle.querySelector('input')?.focus();
    };
    draw();
    return element;
  }

  private tool(name: 'add' | 'close', day: string, click: () => void): HTMLElement {
    const { addHours, removeHours } = this.context.labels;
    return iconButton(name, `${day}, ${name === 'add' ? addHours : removeHours}`, click);
  }

  private range(range: TimeRange, day: string, set: (part: Partial<TimeRange>) => void): HTMLElement {
    const { labels } = this.context;
    const field = (name: 'start' | 'end', label: string): HTMLElement => {
      const input = h('input', {
        type: 'time',
        'aria-label': `${day}, ${label}`,
        required: true,
        value: toField(range[name]),
      });
      input.addEventListener('change', () => {
        if (!input.reportValidity()) return;
        set({ [name]: fromField(input.value) });
      });
      return input;
    };
    return h('span', { class: 'times' }, field('start', labels.from), '–', field('end', labels.to));
  }

  private async save(schedule: WeeklySchedule): Promise<void> {
    this.schedule = (await this.preferences.setSchedule(schedule)).schedule ?? schedule;
  }

  private async addPush(push: InboxPush): Promise<void> {
    const { labels } = this.context;
    const state = await push.state();
    if (state === 'unavailable') return;
    const change = async (isOn: boolean): Promise<boolean> => {
      const after = await (isOn ? push.enable() : push.disable());
      if (after === 'blocked') this.note.textContent = labels.browserBlocked;
      return after === 'on';
    };
    // The browser may wait for an answer of the user, which must not hold up other changes.
    const toggle = this.toggle(labels.browser, state === 'on', change, labels.browser, queue());
    this.content.append(h('h3', {}, labels.push), toggle);
    if (state !== 'blocked') return;
    toggle.querySelectorAll('input').forEach((input) => (input.disabled = true));
    this.content.append(h('p', { class: 'muted' }, labels.browserBlocked));
  }

  private fail(error: unknown): void {
    this.note.textContent = this.context.labels.failed;
    this.context.onFault(error);
  }
}
