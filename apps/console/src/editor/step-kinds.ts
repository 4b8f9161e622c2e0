import type { Metadata, Template } from '../drafts/draft.js';
import { initialOf } from '../step-types/schema.js';
import type { StepType } from '../step-types/step-types.js';

/** A text of a template that the editor has a field for. */
export type TextField = 'subject' | 'preheader' | 'senderName' | 'title' | 'content';

/** What a step has when it is added. */
export interface NewStep {
  readonly type: string;
  readonly template: Omit<Template, 'type'>;
  readonly metadata?: Metadata;
}

export interface StepKind extends NewStep {
  readonly texts: readonly TextField[];
  /** The language of `content`. */
  readonly language?: 'html' | 'text';
}

/** The step types that the editor has forms of its own for. The forms of others are made of what Herald says of them. */
const STEP_KINDS: readonly StepKind[] = [
  {
    type: 'email',
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
    texts: ['title', 'content'],
    language: 'html',
    template: { content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'sms',
    texts: ['content'],
    language: 'text',
    template: { content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'push',
    texts: ['title', 'content'],
    language: 'text',
    template: { title: 'New message', content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'chat',
    texts: ['content'],
    language: 'text',
    template: { content: 'Hello {{subscriber.firstName}}' },
  },
  {
    type: 'http_request',
    texts: [],
    template: { method: 'POST', url: 'https://example.com/' },
  },
];

const REQUEST_FIELDS = new Set(['method', 'url', 'headers', 'body', 'timeoutMs', 'maxAttempts', 'continueOnFailure']);

export function kindOf(type: string): StepKind | undefined {
  return STEP_KINDS.find((kind) => kind.type === type);
}

/** Types without a form of their own begin with what Herald says. */
export function newOf({ type, template, metadata }: StepType): NewStep {
  return kindOf(type) ?? { type, template: initialOf(template), metadata: initialOf(metadata) };
}

/**
 * Members of a template that have a field of their own; the others are edited as JSON.
 * @param declared those that Herald names of a type without a form of its own
 */
export function hasField(type: string, name: string, declared: readonly string[]): boolean {
  const kind = kindOf(type);
  if (kind === undefined) return name === 'type' || declared.includes(name);
  if ((kind.texts as readonly string[]).includes(name)) return true;
  if (name === 'type') return true;
  if (type === 'http_request') return REQUEST_FIELDS.has(name);
  if (type === 'email') return ['contentType', 'layoutId', 'images'].includes(name);
  return type === 'in_app' && (name === 'cta' || name === 'feedId');
}
