import type { Session } from '../session.js';
import OPERATIONS from './operations.json';

/** Those that need more than the scope `read`. `npm run docs` writes them from the API. */
export type Operation = keyof typeof OPERATIONS;

interface Needs {
  readonly scope: string;
  readonly tag: string;
  readonly isDefinition: boolean;
}

/** What an operation is about, where its group in the API is named otherwise. */
const SUBJECTS: Partial<Record<Operation, string>> = {
  updateBranding: 'the branding',
  switchCatcher: 'the catcher',
  exportSubscriber: 'exports of personal data',
  setSystemMail: 'how Herald sends its own mails',
  rotateWebhookSecret: 'secrets of webhooks',
  issueApiKey: 'API keys',
  updateApiKey: 'API keys',
  revokeApiKey: 'API keys',
  updateCurrentEnvironment: 'the environment',
};

/** Who has a role that allows it, as one would ask them. */
const TO_ASK: Readonly<Record<string, string>> = { admin: 'an owner' };

/** Why the person may not do something here; absent if they may. What a key may do is up to the API. */
export function refusalOf(
  operation: Operation,
  { person, environment }: Pick<Session, 'person' | 'environment'>,
): string | undefined {
  const needs: Needs = OPERATIONS[operation];
  if (person !== undefined && !person.scopes.some((scope) => scope === needs.scope)) {
    const whom = TO_ASK[needs.scope] ?? 'an owner or an editor';
    return `Your role, ${person.role}, cannot ${deedOf(operation, needs)}. Ask ${whom}.`;
  }
  if (environment.isReadOnly && needs.isDefinition)
    return 'This environment is read-only. Changes come by promotion from another environment.';
  return undefined;
}

function deedOf(operation: Operation, { scope, tag }: Needs): string {
  return scope === 'trigger' ? 'send, replay or cancel messages' : `change ${SUBJECTS[operation] ?? inSentence(tag)}`;
}

const inSentence = (tag: string): string => tag.charAt(0).toLowerCase() + tag.slice(1);
