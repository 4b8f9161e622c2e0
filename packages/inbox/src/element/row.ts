import type { InboxAction, InboxNotification } from '../store/index.js';
import { contentOf, safeUrl } from './content.js';
import { h, icon, type IconName, setAttribute } from './dom.js';
import { filled, type InboxLabels } from './labels.js';
import type { ListRow } from './rows.js';

export type ToolName = 'read' | 'unread' | 'archive' | 'unarchive' | 'snooze' | 'unsnooze';

export interface RowContext {
  readonly labels: InboxLabels;
  readonly language: string;
  readonly canSnooze: boolean;
  readonly onOpen: (event: Event, item: InboxNotification) => void;
  readonly onAction: (event: Event, item: InboxNotification, actionType: 'primary' | 'secondary') => void;
  readonly onTool: (item: InboxNotification, tool: ToolName) => void;
  readonly onGroup: (item: InboxNotification) => void;
}

/** Whether something is unread of what a row stands for. */
export function isUnread({ item, isOpen }: Pick<ListRow, 'item' | 'isOpen'>): boolean {
  return isOpen ? !item.isRead : (item.group?.unreadCount ?? Number(!item.isRead)) > 0;
}

export function drawRow(row: ListRow, context: RowContext): HTMLElement {
  const { labels } = context;
  const { item, day, isMember } = row;
  const { id, severity, subject, body } = item;
  const content = contentOf(body);
  const unread = isUnread(row);
  const classes = ['item', unread && 'unread', day !== undefined && 'first', isMember && 'member'];
  return h(
    'article',
    {
      class: classes.filter(Boolean).join(' '),
      part: unread ? 'item item-unread' : 'item',
      tabindex: 0,
      'data-id': id,
      'data-severity': severity,
      'aria-labelledby': `subject-${id}`,
      keydown: (event) => {
        const { key, target, currentTarget } = event as KeyboardEvent;
        if (key === 'Enter' && target === currentTarget) context.onOpen(event, item);
      },
    },
    day !== undefined && h('h3', { class: 'day-name', part: 'day' }, day),
    h('span', { class: 'dot', part: 'dot' }),
    avatarOf(item) ?? iconOf(item),
    h(
      'div',
      { class: 'main' },
      unread && h('span', { class: 'hidden' }, labels.unread),
      severity === 'high' && h('span', { class: 'urgent', part: 'urgent' }, labels.urgent),
      h('div', { class: 'head' }, link(item, context, subject ? undefined : content), timeOf(item, context.language)),
      subject ? h('div', { class: 'body', part: 'body', dir: 'auto' }, content) : undefined,
      item.snoozedUntil !== undefined && h('p', { class: 'muted' }, snoozedUntil(item.snoozedUntil, context)),
      h(
        'div',
        { class: 'actions', part: 'actions' },
        button(item, 'primary', context),
        button(item, 'secondary', context),
      ),
      groupButton(row, context),
      h('div', { class: 'tools', part: 'tools' }, ...tools(row, context)),
    ),
  );
}

/** Opens and closes the group for which the row stands. */
function groupButton({ item, isOpen }: ListRow, { labels, onGroup }: RowContext): HTMLElement | undefined {
  const { count = 1 } = item.group ?? {};
  if (count < 2) return undefined;
  const text = isOpen ? labels.groupClose : filled(labels.groupOpen, count > 99 ? '99+' : count);
  const props = { type: 'button', class: 'group', part: 'group', 'data-key': 'group', click: () => onGroup(item) };
  const button = h('button', props, text);
  setAttribute(button, 'aria-expanded', String(isOpen));
  return button;
}

function iconOf({ icon: name }: InboxNotification): HTMLElement | undefined {
  return name === undefined ? undefined : h('span', { class: `avatar sign ${name}`, part: 'avatar' }, icon(name));
}

/** The whole row can be clicked; it opens the redirect of the notification, if it has one. */
function link(item: InboxNotification, { onOpen }: RowContext, content: Node | undefined): HTMLElement {
  const { id, subject, redirect } = item;
  const url = redirect && safeUrl(redirect.url);
  const props = {
    id: `subject-${id}`,
    class: 'open-link',
    dir: 'auto',
    part: 'subject',
    'data-key': 'open',
    click: (event: Event) => onOpen(event, item),
  };
  // What a link contains cannot be links.
  const text = subject ?? content?.textContent ?? '';
  if (url === undefined) return h('button', { ...props, type: 'button' }, text);
  return h('a', { ...props, href: url, target: targetOf(item), rel: 'noopener' }, text);
}

/** Pages of other sites open in a tab of their own. */
export function targetOf({ redirect }: Pick<InboxNotification, 'redirect'>): string {
  if (redirect?.target !== undefined) return redirect.target;
  return redirect === undefined || redirect.url.startsWith('/') || isOwn(redirect.url) ? '_self' : '_blank';
}

function isOwn(url: string): boolean {
  return url.startsWith(`${location.origin}/`);
}

function avatarOf({ avatar }: InboxNotification): HTMLElement | undefined {
  if (avatar === undefined || avatar === '') return undefined;
  const props = {
    class: 'avatar',
    part: 'avatar',
    alt: '',
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    src: avatar,
  };
  const image = h('img', { ...props, error: () => image.remove() });
  return image;
}

function button(
  item: InboxNotification,
  actionType: 'primary' | 'secondary',
  { onAction }: RowContext,
): HTMLElement | undefined {
  const action: InboxAction | undefined = item[`${actionType}Action`];
  if (action === undefined) return undefined;
  const url = action.redirect && safeUrl(action.redirect.url);
  const props = {
    class: actionType,
    part: `action ${actionType}`,
    'data-key': actionType,
    'aria-disabled': action.isCompleted ? 'true' : undefined,
    click: (event: Event) => onAction(event, item, actionType),
  };
  const label = [action.isCompleted && icon('read'), action.label] as const;
  if (url === undefined) return h('button', { ...props, type: 'button' }, ...label);
  return h('a', { ...props, href: url, target: targetOf(action), rel: 'noopener' }, ...label);
}

function tools(row: ListRow, { labels, canSnooze, onTool }: RowContext): HTMLElement[] {
  const { item } = row;
  const tool = (name: ToolName, label: string): HTMLElement => {
    const props = { type: 'button', class: 'icon', part: `tool ${name}`, 'data-key': name, title: label };
    return h(
      'button',
      { ...props, 'aria-label': label, click: () => onTool(item, name) },
      icon(name satisfies IconName),
    );
  };
  if (item.isSnoozed) return [tool('unsnooze', labels.unsnooze)];
  return [
    isUnread(row) ? tool('read', labels.read) : tool('unread', labels.markUnread),
    item.isArchived ? tool('unarchive', labels.unarchive) : tool('archive', labels.archive),
    ...(canSnooze ? [tool('snooze', labels.snooze)] : []),
  ];
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const A_WEEK_S = 604_800;

interface Formats {
  readonly full: Intl.DateTimeFormat;
  readonly date: Intl.DateTimeFormat;
  readonly time: Intl.DateTimeFormat;
  readonly relative: Intl.RelativeTimeFormat;
}

/** By language: making them takes longer than drawing a row. */
const formats = new Map<string, Formats>();

function formatsOf(language: string): Formats {
  const made = formats.get(language) ?? {
    full: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }),
    time: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
  };
  formats.set(language, made);
  return made;
}

function timeOf({ createdAt }: InboxNotification, language: string): HTMLElement {
  const date = new Date(createdAt);
  const title = formatsOf(language).full.format(date);
  return h('time', { datetime: createdAt, title, part: 'time' }, relativeTime(date, language));
}

function relativeTime(date: Date, language: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - date.getTime()) / 1_000));
  const { date: day, relative } = formatsOf(language);
  if (seconds >= A_WEEK_S) return day.format(date);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? (['second', seconds + 1] as const);
  return relative.format(-Math.floor(seconds / length), unit);
}

function snoozedUntil(until: string, { labels, language }: RowContext): string {
  return filled(labels.snoozedUntil, formatsOf(language).time.format(new Date(until)));
}
