import type { CallbackEvent, CallbackStatus } from '#libs/channels';
import type { DetailStatus } from '../../engine/execution-details/index.js';
import type { MessageStatus } from '../../engine/messages/records/index.js';

const MESSAGE_STATUS: Partial<Record<CallbackStatus, MessageStatus>> = {
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'clicked',
  bounced: 'bounced',
  undelivered: 'bounced',
  spam: 'complained',
  complaint: 'complained',
  rejected: 'error',
  dropped: 'error',
  blocked: 'error',
  failed: 'error',
};

export function messageStatusOf(status: CallbackStatus): MessageStatus | undefined {
  return MESSAGE_STATUS[status];
}

const DETAIL_STATUS: Readonly<Record<CallbackStatus, DetailStatus>> = {
  sent: 'Success',
  delivered: 'Success',
  opened: 'Success',
  clicked: 'Success',
  unsubscribed: 'Success',
  rejected: 'Failed',
  bounced: 'Failed',
  dropped: 'Failed',
  blocked: 'Failed',
  spam: 'Failed',
  complaint: 'Failed',
  failed: 'Failed',
  undelivered: 'Failed',
  deferred: 'Pending',
  delayed: 'Pending',
  created: 'Queued',
  accepted: 'Queued',
  queued: 'Queued',
  sending: 'Queued',
};

export function detailStatusOf(status: CallbackStatus): DetailStatus {
  return DETAIL_STATUS[status];
}

const MAX_RESPONSE_LENGTH = 1_000;

/** `<response> - (<status>)`; without a response, only the status. */
export function detailTextOf({ response, status }: Pick<CallbackEvent, 'response' | 'status'>): string {
  return `${shorten(response) ?? status} - (${status})`;
}

export function shorten(response: string | undefined): string | undefined {
  return response !== undefined && response.length > MAX_RESPONSE_LENGTH
    ? `${response.slice(0, MAX_RESPONSE_LENGTH - 1)}…`
    : response;
}

/** Undefined unless the report is a hard bounce or complaint. */
export function addressFaultOf({ status, hardBounce, response }: CallbackEvent): string | undefined {
  if (hardBounce === true) return shorten(response) ?? 'The address had a hard bounce.';
  if (status === 'spam' || status === 'complaint') return 'The recipient reported a message as spam.';
  return undefined;
}

/** Of a report with an address fault. */
export function addressFaultKindOf({ hardBounce }: Pick<CallbackEvent, 'hardBounce'>): 'bounce' | 'complaint' {
  return hardBounce === true ? 'bounce' : 'complaint';
}

/** Equal for every repetition of an event; differs by time and by recipient of one send. */
export function eventKeyOf({ status, at, response, recipient }: CallbackEvent): string {
  return JSON.stringify([status, at?.getTime() ?? null, response ?? null, recipient ?? null]);
}
