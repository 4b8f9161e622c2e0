import type { InboxLabels } from './languages.js';

export type { InboxLabels } from './languages.js';

const en: InboxLabels = {
  title: 'Notifications',
  unreadCount: '{n} unread',
  unread: 'Unread',
  urgent: 'Urgent',
  view: 'Show',
  viewInbox: 'All',
  viewUnread: 'Unread',
  viewArchived: 'Archived',
  viewSnoozed: 'Snoozed',
  readAll: 'Mark all as read',
  archiveRead: 'Archive read',
  read: 'Mark as read',
  markUnread: 'Mark as unread',
  archive: 'Archive',
  unarchive: 'Move back',
  snooze: 'Snooze',
  unsnooze: 'Wake up',
  snoozeHour: 'In an hour',
  snoozeTomorrow: 'Tomorrow morning',
  snoozeWeek: 'Next week',
  snoozeUntil: 'Until',
  snoozedUntil: 'Snoozed until {n}',
  groupOpen: 'Show all {n}',
  groupClose: 'Show less',
  ok: 'OK',
  preferences: 'Preferences',
  back: 'Back',
  close: 'Close',
  empty: 'Nothing here',
  loading: 'Loading',
  arrived: 'New notification: {n}',
  offline: 'No connection. The list is as it was.',
  unsent: 'Changes that are not saved yet: {n}',
  refused: 'The inbox could not be opened.',
  failed: 'This could not be saved.',
  everything: 'All notifications',
  other: 'Other',
  in_app: 'Here',
  email: 'Email',
  sms: 'Text message',
  chat: 'Chat',
  push: 'Push',
  quietHours: 'Quiet hours',
  quietHint: 'Outside these times, notifications come to this inbox only.',
  addHours: 'more hours',
  removeHours: 'remove these hours',
  from: 'From',
  to: 'To',
  browser: 'Notifications of this browser',
  browserBlocked: 'Blocked in the settings of the browser',
};

/** Languages but English are in a file of their own, which pages in English do not load. */
const OTHERS = new Set(['ar', 'de', 'es', 'fr', 'he']);
let languages: Readonly<Record<string, InboxLabels>> = {};
const RIGHT_TO_LEFT = /^(?:ar|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

/** English where the language, or one of its texts, is unknown. */
export function labelsOf(language: string, own: Partial<InboxLabels> = {}): InboxLabels {
  return { ...en, ...languages[primaryOf(language)], ...own };
}

/** @returns undefined if the texts of the language are there, or there are none */
export function loadLanguage(language: string): Promise<unknown> | undefined {
  const primary = primaryOf(language);
  if (!OTHERS.has(primary) || primary in languages) return undefined;
  // Without that file, the inbox is in English.
  return import('./languages.js').then(
    (loaded) => (languages = { ...loaded }),
    () => OTHERS.clear(),
  );
}

function primaryOf(language: string): string {
  return language.toLowerCase().split('-')[0] ?? '';
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr';
}

export function filled(text: string, value: string | number): string {
  return text.replace('{n}', String(value));
}
