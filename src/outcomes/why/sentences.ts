import { STEP_TYPES } from '#libs/plugins';
import { DETAIL } from '../../engine/execution-details/index.js';
import type { JobResponse } from '../notifications/index.js';
import { budgetIn, budgetWords } from './why-budget.response.js';
import type { Verdict } from './why.response.js';

type Step = Pick<
  JobResponse,
  | 'type'
  | 'status'
  | 'attempt'
  | 'providerId'
  | 'finishedAt'
  | 'dueAt'
  | 'explanation'
  | 'history'
  | 'executionDetails'
  | '_mergedDigestNotificationId'
>;

const WAITING = new Set(['pending', 'queued', 'running', 'delayed']);

const isMessage = ({ type }: Pick<Step, 'type'>): boolean => STEP_TYPES.get(type)?.group === 'message';
const isSent = ({ status, explanation }: Step): boolean => status === 'completed' && explanation === undefined;

export function verdictOf(steps: readonly Step[]): Verdict {
  if (steps.some(({ status }) => WAITING.has(status))) return 'waiting';
  const messages = steps.filter(isMessage);
  const sent = messages.filter(isSent).length;
  if (sent === 0) return 'not_delivered';
  return sent === messages.length ? 'delivered' : 'partly';
}

/** The number of messages, and the step that says most about those that did not arrive. */
export function shortAnswer(steps: readonly Step[]): string {
  const messages = steps.filter(isMessage);
  const sent = messages.filter(isSent).length;
  const decisive =
    steps.find(({ status }) => WAITING.has(status)) ??
    steps.find(({ status }) => status === 'failed') ??
    steps.find((step) => step.explanation !== undefined && isMessage(step)) ??
    steps.find(({ explanation }) => explanation !== undefined);
  const count = `${sent} of ${messages.length} ${messages.length === 1 ? 'message' : 'messages'} ${sent === 1 || messages.length === 1 ? 'was' : 'were'} sent.`;
  return decisive === undefined ? count : `${count} ${sentenceOf(decisive)}`;
}

export function sentenceOf(step: Step): string {
  const budget = budgetIn(step.executionDetails);
  return `${labelOf(step)}: ${endOf(step)}${budget === undefined ? '' : budgetWords(budget)}`;
}

function endOf(step: Step): string {
  const { status, dueAt, explanation, _mergedDigestNotificationId: digest } = step;
  if (explanation !== undefined) return explained(step, explanation);
  switch (status) {
    case 'completed':
      return isMessage(step) ? sentBy(step) : `done${at(step.finishedAt)}.`;
    case 'merged':
      return `joined the digest of the notification ${digest ?? 'that collects it'}.`;
    case 'delayed':
      return `waits${dueAt === undefined ? '' : ` until ${dueAt.toISOString()}`}.`;
    case 'queued':
      return dueAt === undefined ? 'waits for a worker.' : `waits for its next attempt at ${dueAt.toISOString()}.`;
    case 'running':
      return 'is being carried out now.';
    default:
      return 'has not been reached yet.';
  }
}

function explained({ status, attempt, history }: Step, { title, text }: NonNullable<Step['explanation']>): string {
  const attempts = status === 'failed' && attempt > 1 ? ` after ${attempt} attempts` : '';
  const values = (history?.conditions ?? [])
    .filter(({ passed }) => !passed)
    .map(
      ({ filter, field, operator, expected, actual }) =>
        ` ${filter} ${field}: expected ${operator} ${expected}, found ${actual}.`,
    );
  const end = status === 'completed' ? 'sent, and then not delivered' : status;
  return `${end}${attempts}. ${sentence(title)}${text === undefined || text === title ? '' : ` ${sentence(text)}`}${values.join('')}`;
}

function sentBy({ type, providerId, finishedAt, history, executionDetails }: Step): string {
  const reports = (history?.callbacks ?? []).map(
    ({ status, at: time }) => ` The provider reported ${status}${at(time)}.`,
  );
  if (type === 'in_app') return `stored in the feed${at(finishedAt)}.`;
  const isUnsubscribed = executionDetails.some(({ detail }) => detail === DETAIL.recipientUnsubscribed);
  const by = providerId === undefined ? '' : ` with ${providerId}`;
  return `sent${by}${at(finishedAt)}.${reports.join('')}${isUnsubscribed ? ' The recipient unsubscribed by its link.' : ''}`;
}

const at = (time: Date | undefined): string => (time === undefined ? '' : ` at ${time.toISOString()}`);
const labelOf = ({ type }: Step): string => (isMessage({ type }) && STEP_TYPES.get(type)?.label) || titled(type);
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const titled = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ');
