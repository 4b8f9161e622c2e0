import type { Metadata, Template } from '../drafts/draft.js';

/** A text of a template that the editor has a field for. */
export type TextField = 'subject' | 'preheader' | 'senderName' | 'title' | 'content';

export interface StepKind {
  readonly type: string;
  readonly label: string;
  /** What it does, for those who add it. */
  readonly about: string;
  readonly texts: readonly TextField[];
  /** The language of `content`. */
  readonly language?: 'html' | 'text';
  /** Whether its metadata says how long it waits. */
  readonly waits?: 'delay' | 'digest' | 'throttle' | 'event';
  readonly template: Omit<Template, 'type'>;
  readonly metadata?: Metadata;
}

/** The step types that the editor has fields for. Others are shown as JSON and kept as they are. */
export const STEP_KINDS: readonly StepKind[] = [
  {
    type: 'email',
    label: 'Email',
    about: 'Sends an email',
    texts: ['subject', 'preheader', 'senderName', 'content'],
    language: 'html',
    template: {
      contentType: 'customHtml',
      subject: 'New email',
      content: '<p>Hello {{subscriber.firstName}},</p>\n<p></p>\n',
    },
  },
  {
    type: 'in_app',
    label: 'In-app',
    about: 'Adds a message to the inbox',
    texts: ['title', 'content'],
    language: 'html',
    template: { content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'sms',
    label: 'SMS',
    about: 'Sends a text message',
    texts: ['content'],
    language: 'text',
    template: { content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'push',
    label: 'Push',
    about: 'Sends a push notification',
    texts: ['title', 'content'],
    language: 'text',
    template: { title: 'New message', content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'chat',
    label: 'Chat',
    about: 'Posts to a chat',
    texts: ['content'],
    language: 'text',
    template: { content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'digest',
    label: 'Digest',
    about: 'Collects events into one message',
    texts: [],
    waits: 'digest',
    template: {},
    metadata: { type: 'regular', amount: 5, unit: 'minutes' },
  },
  {
    type: 'delay',
    label: 'Delay',
    about: 'Waits before the next step',
    texts: [],
    waits: 'delay',
    template: {},
    metadata: { type: 'regular', amount: 1, unit: 'hours' },
  },
  {
    type: 'throttle',
    label: 'Throttle',
    about: 'Ends runs beyond a limit',
    texts: [],
    waits: 'throttle',
    template: {},
    metadata: { type: 'fixed', amount: 1, unit: 'hours', threshold: 1 },
  },
  {
    type: 'wait_for_event',
    label: 'Wait for event',
    about: 'Waits until a message is read, or an event comes',
    texts: [],
    waits: 'event',
    template: {},
    metadata: { event: 'message.read', amount: 10, unit: 'minutes', onMatch: 'stop', onTimeout: 'continue' },
  },
  {
    type: 'http_request',
    label: 'HTTP request',
    about: 'Asks or tells another system',
    texts: [],
    template: { method: 'POST', url: 'https://example.com/' },
  },
];

const REQUEST_FIELDS = new Set(['method', 'url', 'headers', 'body', 'timeoutMs', 'maxAttempts', 'continueOnFailure']);

export function kindOf(type: string): StepKind | undefined {
  return STEP_KINDS.find((kind) => kind.type === type);
}

/** Members of a template that have a field of their own; the others are edited as JSON. */
export function hasField(type: string, name: string): boolean {
  const kind = kindOf(type);
  if (kind === undefined) return false;
  if ((kind.texts as readonly string[]).includes(name)) return true;
  if (name === 'type') return true;
  if (type === 'http_request') return REQUEST_FIELDS.has(name);
  if (type === 'email') return name === 'contentType' || name === 'layoutId';
  return type === 'in_app' && (name === 'cta' || name === 'feedId');
}
