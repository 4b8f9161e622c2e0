import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type Entry = Schemas['AuditEntryResponse'];
type Change = Schemas['AuditChangeResponse'];

/** What the address of the page asks for. */
export interface Asked {
  readonly actorId?: string;
  readonly resourceType?: string;
  readonly resourceId?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
}

const FILTERS = ['actorId', 'resourceType', 'resourceId', 'action', 'from', 'to'] as const;

export function askedIn(parameters: URLSearchParams): Asked {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = parameters.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  'api-key': 'API key',
  'audit-log': 'audit log',
  'condition-webhook-secret': 'secret of condition webhooks',
  'notification-group': 'group',
  'notification-replay': 'replay',
  'workflow-override': 'workflow override',
};

const KNOWN_TYPES = [
  'alerts',
  'api-key',
  'audit-log',
  'budget',
  'environment',
  'event',
  'feed',
  'image',
  'integration',
  'invitation',
  'layout',
  'message',
  'notification',
  'notification-group',
  'notification-replay',
  'organization',
  'promotion',
  'question',
  'schedule',
  'secret',
  'store',
  'subscriber',
  'suppression',
  'tenant',
  'topic',
  'translation',
  'user',
  'webhook',
  'workflow',
  'workflow-override',
] as const;

export function typeWord(type: string): string {
  return TYPES[type] ?? type;
}

export const TYPE_CHOICES = [
  { value: '', label: 'Everything' },
  ...KNOWN_TYPES.map((value) => ({ value, label: capital(typeWord(value)) })),
];

const ACTIONS: Readonly<Record<string, string>> = {
  acceptInvitation: 'Accepted an invitation or a link',
  callTool: 'Called a tool',
  beginMyTotp: 'Began to set up codes',
  changeMyPassword: 'Changed the password',
  confirmMyTotp: 'Switched codes on',
  disableMyTotp: 'Switched codes off',
  dryRunEvent: 'Tried an event',
  endMyOtherSessions: 'Ended the other sessions',
  endMySession: 'Ended a session',
  renameMe: 'Changed the own name',
  signIn: 'Signed in',
  signInWithProvider: 'Signed in with single sign-on',
  signOut: 'Signed out',
};

/** The first word of operations, as what was done. */
const DONE: Readonly<Record<string, string>> = {
  act: 'Acted on',
  broadcast: 'Broadcast',
  bulk: 'Bulk',
  cancel: 'Canceled',
  change: 'Changed',
  clear: 'Lifted',
  answer: 'Answered',
  copy: 'Copied',
  end: 'Ended',
  get: 'Read',
  invite: 'Invited',
  issue: 'Issued',
  recover: 'Made a new link for',
  reset: 'Reset',
  resume: 'Resumed',
  run: 'Ran',
  send: 'Sent',
  set: 'Set',
  stop: 'Stopped',
  trigger: 'Triggered',
  withdraw: 'Withdrew',
};

/** `updateWorkflow` as “Updated workflow”. */
export function actionWords(action: string): string {
  const known = ACTIONS[action];
  if (known !== undefined) return known;
  const [verb = '', ...rest] = action.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return [DONE[verb] ?? past(verb), ...rest].join(' ').replace('api key', 'API key').replace('totp', 'codes');
}

function past(verb: string): string {
  return capital(verb.endsWith('e') ? `${verb}d` : `${verb}ed`);
}

const SUBSCRIBER_WAYS: Readonly<Record<string, string>> = {
  link: 'Subscriber, by a link',
  chat: 'Subscriber, by a button in a chat',
};

/** Beside the name. */
export function wayWord({ via, actor }: Pick<Entry, 'via' | 'actor'>): string {
  if (actor.type === 'command_line') return 'in the store itself';
  if (actor.type === 'subscriber') return SUBSCRIBER_WAYS[via] ?? 'Subscriber, in the inbox';
  if (actor.type === 'agent') return 'Agent';
  const who = actor.email ?? 'API key';
  return via === 'files' ? `${who}, by files` : who;
}

/** Undefined for what was carried out, as most is. */
export function outcomeWord({
  outcome,
  errorCode,
}: Pick<Entry, 'outcome' | 'errorCode'>): { readonly tone: Tone; readonly label: string } | undefined {
  if (outcome === 'done') return undefined;
  if (outcome === undefined) return { tone: 'warn', label: 'Not known whether it was carried out' };
  const label = outcome === 'refused' ? 'Refused' : 'Failed';
  return { tone: 'bad', label: errorCode === undefined ? label : `${label}: ${errorCode}` };
}

const PAGES: Readonly<Record<string, string>> = {
  alerts: '/alerts',
  'api-key': '/keys',
  budget: '/budgets',
  environment: '/environment',
  feed: '/groups',
  invitation: '/people',
  'notification-group': '/groups',
  suppression: '/suppressions',
  tenant: '/tenants',
  translation: '/translations',
  user: '/people',
};
const WITH_PAGES = new Set(['integration', 'layout', 'notification', 'question', 'schedule', 'webhook', 'workflow']);

/** Where the console shows it; undefined for what is gone or has no page. */
export function addressOf({
  action,
  resource: { type, id, name },
}: Pick<Entry, 'action' | 'resource'>): string | undefined {
  if (/^(delete|remove|revoke|withdraw)/.test(action) && !/Credentials|Subscribers$/.test(action)) return undefined;
  if (type === 'subscriber') return name === undefined ? undefined : `/subscribers/${encodeURIComponent(name)}`;
  if (WITH_PAGES.has(type) && id !== undefined) return `/${type}s/${encodeURIComponent(id)}`;
  return PAGES[type];
}

/** The program of a browser or client, in short. */
export function programOf(userAgent: string): string {
  const browser = /(Edg|OPR)\/(\d+)/.exec(userAgent) ?? /(Firefox|Chrome|Version)\/(\d+)/.exec(userAgent);
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' };
  if (browser?.[1] !== undefined && userAgent.startsWith('Mozilla/')) {
    return `${names[browser[1]] ?? browser[1]} ${browser[2] ?? ''}`;
  }
  return userAgent.startsWith('herald ') ? userAgent : (userAgent.split(' ')[0] ?? '');
}

/** In the words of a reader; `steps.mail.template.subject` stays what it is, because ids tell steps apart. */
export function hiddenWords({ hidden }: Change): string | undefined {
  if (hidden === 'secret') return 'changed; secrets are not recorded';
  if (hidden === 'personal') return 'changed; personal data is not recorded';
  return undefined;
}

export function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
