import { shown } from '#libs/http-kit';
import { STEP_TYPES } from '#libs/plugins';
import { DETAIL, type DetailStatus } from './detail.enums.js';
import { ExplanationResponse } from './explanation.response.js';

type Words = Pick<ExplanationResponse, 'title' | 'remedy'>;

/** What of a step tells why it did not send. */
export interface EndedStep {
  readonly status: string;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
  /** Oldest first. */
  readonly details: readonly {
    readonly detail: string;
    readonly status: DetailStatus;
    readonly webhookStatus?: string | undefined;
    readonly raw?: string | undefined;
  }[];
}

const REPLAY = 'then replay the notification.';

const OUTAGE = {
  title: 'The provider was not available',
  remedy: `Check the provider's status page. When the provider is available again, replay the notification.`,
};

const FIXED: Readonly<Record<string, Words>> = {
  conditions: {
    title: 'A step condition was not met',
    remedy: 'Compare the expected and the actual values. Change the trigger payload or the step conditions.',
  },
  other_arm: {
    title: 'The subscriber took another arm',
    remedy: 'Nothing is wrong: the details of the branch or split before it say which arm was taken, and why.',
  },
  schedule: {
    title: "Outside the subscriber's delivery hours",
    remedy: 'The subscriber chose this. Critical workflows ignore it.',
  },
  never_open: {
    title: 'The delivery hours never open',
    remedy: "Every day is closed, or the subscriber's hours and the send window never meet. Change one of them.",
  },
  budget: {
    title: 'The budget of the subscriber is used up',
    remedy:
      'Nothing is wrong: the details say which budget it is, how many messages it counts and when it opens again.',
  },
  budget_digest: {
    title: 'The message comes with the digest of a budget',
    remedy: 'Nothing is wrong: the details say which budget held it, and name the transaction of the digest.',
  },
  conditions_failed: { title: 'A condition could not be evaluated', remedy: `Fix the condition, ${REPLAY}` },
  condition_webhook: {
    title: 'A condition webhook did not respond',
    remedy: `Make sure that the webhook is available, ${REPLAY}`,
  },
  content: {
    title: 'The content could not be rendered',
    remedy: 'Fix the step template, then trigger the event again.',
  },
  missing_values: {
    title: 'The event does not have all values that the message shows',
    remedy: 'Send the values, give the variables default values, or use {{#if}}; then trigger the event again.',
  },
  layout_not_found: { title: 'The layout does not exist', remedy: `Choose another layout for the step, ${REPLAY}` },
  no_active_integration: {
    title: 'No integration to send with',
    remedy: `Create or activate an integration for this channel, ${REPLAY}`,
  },
  no_channel: {
    title: 'The subscriber has no credentials for this channel',
    remedy: `Store the subscriber's credentials for a provider of this channel, ${REPLAY}`,
  },
  no_address: {
    title: 'The subscriber has no address for this channel',
    remedy: `Correct the subscriber's address, or mark it as valid if it was reported by mistake, ${REPLAY}`,
  },
  no_target: { title: 'No device or room to send to', remedy: `Add a device or room to the subscriber, ${REPLAY}` },
  invalid_address: { title: 'The address is not valid', remedy: `Correct the subscriber's address, ${REPLAY}` },
  provider: { title: 'The provider refused the message', remedy: `Fix what the provider reported, ${REPLAY}` },
  uncertain: {
    title: 'The provider may have accepted the message',
    remedy:
      'Look up the message at the provider. If it is not there, replay the notification and confirm that the recipient may get it twice.',
  },
  step_type_not_run: { title: 'Herald does not support this step type', remedy: 'Remove the step from the workflow.' },
  tenant_missing: { title: 'The tenant was deleted', remedy: `Create the tenant again, ${REPLAY}` },
  subscriber_missing: {
    title: 'The subscriber was deleted',
    remedy: 'Create the subscriber again, then trigger the event again.',
  },
  subscriber_deleted: {
    title: 'The subscriber was deleted',
    remedy: 'Nothing: what was left for the person was canceled.',
  },
  event_missing: { title: 'The event is no longer stored', remedy: 'Trigger the event again.' },
  workflow_version_missing: {
    title: 'The version of the workflow is no longer stored',
    remedy: 'Trigger the event again: it runs the present version.',
  },
  earlier_step_failed: {
    title: 'An earlier step failed',
    remedy: 'Replay the notification: the failed step runs first, then this one.',
  },
  transaction_canceled: {
    title: 'Canceled through the API',
    remedy: 'If this was a mistake, trigger the event again.',
  },
  worker_lost: { title: 'The worker stopped unexpectedly', remedy: `Check the worker logs, ${REPLAY}` },
  expansion_lost: { title: 'The worker stopped unexpectedly', remedy: `Check the worker logs, ${REPLAY}` },
  internal_error: { title: 'An internal error occurred', remedy: `Check the Herald logs, ${REPLAY}` },
};

const NO_ADDRESS = {
  title: 'The subscriber has no address for this channel',
  remedy:
    'Nothing needs repair. If the subscriber should get this message, store an address and trigger the event again. With "missingAddress": "fail", such notifications of the workflow fail, and can be replayed.',
};

/** Reasons that mean something else where the step has this status. */
const OF_STATUS: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  skipped: { no_address: NO_ADDRESS, no_channel: NO_ADDRESS },
  failed: {
    budget_digest: {
      title: 'The digest of a budget could not be sent',
      remedy: `Activate or correct the workflow that the budget names, ${REPLAY}`,
    },
  },
};

/** What holds a step back that is tried again without an attempt. */
const HELD_BACK: Readonly<Record<string, Words>> = {
  integration_limit: {
    title: 'The integration has sent as much as its limit allows',
    remedy:
      'Nothing is wrong: the message leaves when its turn comes. `messagesPerSecond` of the integration is the limit.',
  },
  provider_down: {
    title: 'The provider is down',
    remedy:
      'Check its status page. The message leaves by itself when the provider answers again; another integration of the channel would take over.',
  },
  provider_wait: {
    title: 'The provider has asked for a wait',
    remedy:
      'Nothing is wrong: the message leaves afterwards. If it happens often, set `messagesPerSecond` of the integration.',
  },
};

/** What the code of the last attempt says about a provider that did not take the message. */
const PROVIDER_CODES: Readonly<Record<string, Words>> = {
  unavailable: OUTAGE,
  timeout: OUTAGE,
  unreachable: OUTAGE,
  rate_limited: {
    title: "The provider's rate limit was reached",
    remedy: `Wait, or ask the provider for a higher limit, ${REPLAY}`,
  },
  mailbox_deferred: {
    title: 'The mailbox takes no mail now',
    remedy: 'It may be full. When there is room again, or with another address, replay the notification.',
  },
  greylisted: {
    title: 'The mail server lets new senders wait',
    remedy: `Herald tries again when the server takes the mail. If the attempts were used up, raise DELIVERY_MAX_ATTEMPTS, ${REPLAY}`,
  },
  unauthorized: {
    title: 'The provider rejected the credentials',
    remedy: `Update the integration's credentials, ${REPLAY}`,
  },
  credentials_incomplete: {
    title: "The integration's credentials are incomplete",
    remedy: `Complete the integration's credentials, ${REPLAY}`,
  },
  invalid_target: {
    title: 'The provider rejected the address',
    remedy: `Correct the subscriber's address, ${REPLAY}`,
  },
};

/** By whose setting a step was skipped, by the execution detail that says so. */
const PREFERENCES: Readonly<Record<string, Words>> = {
  'Step filtered by subscriber global preferences': {
    title: 'The subscriber disabled this channel for all workflows',
    remedy: 'The subscriber chose this. Critical workflows ignore it.',
  },
  'Step filtered by subscriber workflow preferences': {
    title: 'The subscriber disabled this channel for this workflow',
    remedy: 'The subscriber chose this. Critical workflows ignore it.',
  },
  'Step filtered by the workflow override of the tenant': {
    title: 'A tenant override disables this channel',
    remedy: "Change or delete the tenant's workflow override.",
  },
  'Step filtered by workflow preferences': {
    title: 'The workflow disables this channel by default',
    remedy: "Change the workflow's preference settings.",
  },
};

/** @returns undefined for a step that has done its work, or has yet to do it and is not held back */
export function explanationOf({ status, reason = '', error, details }: EndedStep): ExplanationResponse | undefined {
  if (status === 'completed') return reportIn(details);
  const heldBack = status === 'queued' ? HELD_BACK[reason] : undefined;
  if (heldBack) return explained(heldBack);
  if (!['failed', 'skipped', 'canceled'].includes(status)) return undefined;
  if (reason === 'preferences') {
    const found = details.map(({ detail }) => PREFERENCES[detail]).findLast((one) => one !== undefined);
    return explained(found ?? BY_PREFERENCES);
  }
  const special = reason === 'provider' ? PROVIDER_CODES[lastCodeIn(details)] : OF_STATUS[status]?.[reason];
  return explained(special ?? FIXED[reason] ?? ofTypes(reason) ?? unknownEnd(status), error);
}

/** The reason of a type of its own. */
function ofTypes(reason: string): Words | undefined {
  return STEP_TYPES.declarations.flatMap(({ reasons }) => reasons?.[reason] ?? [])[0];
}

const BY_PREFERENCES = { title: 'Disabled by preferences', remedy: 'The details below show which setting applied.' };

function unknownEnd(status: string): Words {
  const title = status === 'failed' ? 'The step failed' : `The step was ${status}`;
  return { title, remedy: 'See the details below.' };
}

function explained({ title, remedy }: Words, text?: string): ExplanationResponse {
  return shown(ExplanationResponse, { title, ...(text !== undefined && { text }), remedy });
}

/** The provider accepted the message, and reported afterwards that it did not arrive or was not wanted. */
function reportIn(details: EndedStep['details']): ExplanationResponse | undefined {
  const found = details.findLast(({ webhookStatus, status }) => webhookStatus !== undefined && status === 'Failed');
  if (found === undefined) return undefined;
  const title = `The provider accepted the message, then reported: ${found.webhookStatus}`;
  const remedy = "Correct the subscriber's address, then trigger the event again: accepted messages are not replayed.";
  return explained({ title, remedy }, found.detail);
}

/** Of the last attempt that a provider did not accept. */
function lastCodeIn(details: EndedStep['details']): string {
  const found = details.findLast(
    ({ detail, webhookStatus }) => detail.startsWith(DETAIL.providerError) && webhookStatus === undefined,
  );
  return /"code":"(\w+)"/.exec(found?.raw ?? '')?.[1] ?? '';
}
