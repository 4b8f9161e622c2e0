import type { Schemas } from '@herald/client';
import type { TestSession } from '../harness/index.js';
import { unique } from '../factories/ids.js';
import { createWorkflow as createAnyWorkflow, identifierOf, stepsOf } from '../factories/workflow.factory.js';
import { clientOf } from './client.js';

/** A step of a workflow as a client sends it. */
export interface SentStep {
  template: Record<string, unknown>;
  [key: string]: unknown;
}

/** Creates an active workflow. @returns what the API answers */
export async function createWorkflow(
  session: TestSession,
  steps: SentStep[],
  more: Record<string, unknown> = {},
): Promise<{ _id: string; identifier: string; steps: { _id: string; uuid: string }[] }> {
  const made = await createAnyWorkflow(session, { name: unique('Workflow'), active: true, steps, ...more });
  return {
    _id: String(made['_id']),
    identifier: identifierOf(made),
    steps: stepsOf(made) as { _id: string; uuid: string }[],
  };
}

export const inApp = (content: string, more: Record<string, unknown> = {}): SentStep => ({
  template: { type: 'in_app', content },
  ...more,
});

/** Collects events for 5 minutes unless the metadata says otherwise. */
export const digest = (metadata: Record<string, unknown> = {}, more: Record<string, unknown> = {}): SentStep =>
  timed('digest', metadata, more);

/** Waits for 5 minutes unless the metadata says otherwise. */
export const delay = (metadata: Record<string, unknown> = {}, more: Record<string, unknown> = {}): SentStep =>
  timed('delay', metadata, more);

/** Lets one event through in an hour unless the metadata says otherwise. */
export const throttle = (metadata: Record<string, unknown> = {}, more: Record<string, unknown> = {}): SentStep => ({
  template: { type: 'throttle' },
  metadata: { amount: 1, unit: 'hours', ...metadata },
  ...more,
});

/** Waits for 10 minutes for a message to be read, unless the metadata says otherwise. */
export const waitForEvent = (metadata: Record<string, unknown> = {}, more: Record<string, unknown> = {}): SentStep => ({
  template: { type: 'wait_for_event' },
  metadata: { event: 'message.read', amount: 10, unit: 'minutes', ...metadata },
  ...more,
});

const timed = (type: string, metadata: Record<string, unknown>, more: Record<string, unknown>): SentStep => ({
  template: { type, content: '' },
  metadata: { type: 'regular', amount: 5, unit: 'minutes', ...metadata },
  ...more,
});

/** An event as a client sends it. */
export type SentEvent = Schemas['TriggerEventDto'];
export type SentRecipient = Schemas['SubscriberRecipientDto'];

/** What lies in a subscriber's feed, newest first. */
export function feedOf(session: TestSession, subscriberId: string): Promise<Schemas['FeedMessageResponse'][]> {
  return clientOf(session).messagesOfASubscriber.getFeed({ path: { subscriberId }, query: { limit: 100 } });
}

/** What was sent for an event, newest first. */
export function messagesOf(session: TestSession, transactionId: string): Promise<Schemas['ListedMessageResponse'][]> {
  return clientOf(session).messages.listMessages({ query: { transactionId } });
}

/** Triggers a workflow. @returns the transaction id */
export async function trigger(session: TestSession, body: SentEvent): Promise<string> {
  const answer = await clientOf(session).events.triggerEvent({ body });
  expect(answer).toMatchObject({ status: 'processed' });
  return answer.transactionId;
}

export const email = (
  subject: string,
  content: string,
  template: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): SentStep => ({ template: { type: 'email', subject, content, contentType: 'customHtml', ...template }, ...more });

/** An active SMTP integration that sends to a port of this machine. */
export async function smtpIntegration(
  session: TestSession,
  port: number,
  { primary = false }: { primary?: boolean } = {},
): Promise<string> {
  const { integrations } = clientOf(session);
  const { _id } = await integrations.createIntegration({
    body: {
      providerId: 'nodemailer',
      channel: 'email',
      active: true,
      check: false,
      credentials: {
        host: '127.0.0.1',
        port: String(port),
        user: 'user',
        password: 'password',
        from: 'sender@example.com',
        senderName: 'Sender',
        secure: false,
        ignoreTls: true,
      },
    },
  });
  if (primary) await integrations.setPrimaryIntegration({ path: { integrationId: _id } });
  return _id;
}

/** A notification as the API shows it. */
export type ShownNotification = Schemas['NotificationResponse'];

/** The one notification of a transaction. */
export async function notificationOf(session: TestSession, transactionId: string): Promise<ShownNotification> {
  const rows = await clientOf(session).notifications.listNotifications({ query: { transactionId } });
  expect(rows).toHaveLength(1);
  return rows[0] as ShownNotification;
}
