import { ObjectId } from 'bson';
import type { TestApi, TestSession } from '../harness/index.js';
import type { NewMessage } from '../../src/engine/messages/store/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';
import { createActiveWorkflow } from './workflow.factory.js';

/** A subscriber and a workflow, and how to give the one messages of the other as the engine would. */
export interface Inbox {
  readonly session: TestSession;
  readonly subscriber: Json & { _id: string; subscriberId: string };
  readonly workflow: Json & { _id: string };
  /** Path of the subscriber. */
  readonly path: string;
  /** Writes messages, the first one being the oldest; answers with their ids. */
  deliver(...messages: Partial<NewMessage>[]): Promise<string[]>;
}

export interface InboxOptions {
  readonly subscriber?: Json;
  readonly workflow?: Json;
}

export async function createInbox(api: TestApi, session: TestSession, options: InboxOptions = {}): Promise<Inbox> {
  const subscriber = dataOf<Inbox['subscriber']>(
    await session.post('/v1/subscribers', { subscriberId: unique('ann'), firstName: 'Ann', ...options.subscriber }),
  );
  const workflow = await createActiveWorkflow(session, options.workflow);
  let clock = Date.now() - 1_000_000;
  const deliver = async (...messages: Partial<NewMessage>[]): Promise<string[]> => {
    const complete = messages.map((message) =>
      newMessage(session, {
        _subscriberId: new ObjectId(subscriber._id),
        _templateId: new ObjectId(workflow._id),
        createdAt: new Date((clock += 1000)),
        ...message,
      }),
    );
    await api.insertMessages(complete);
    return complete.map(({ _id }) => _id.toHexString());
  };
  return { session, subscriber, workflow, path: `/v1/subscribers/${subscriber.subscriberId}`, deliver };
}

/** The same inbox, but `forget` is called after each delivery, which is announced like every change of a feed. */
export function afterDelivery<T extends Inbox>(inbox: T, forget: () => void): T {
  const deliver = async (...messages: Partial<NewMessage>[]): Promise<string[]> => {
    const ids = await inbox.deliver(...messages);
    forget();
    return ids;
  };
  return { ...inbox, deliver };
}

/** An in-app message with everything that it must have. */
export function newMessage(session: TestSession, overrides: Partial<NewMessage> = {}): NewMessage {
  return {
    _id: new ObjectId(),
    _organizationId: new ObjectId(session.organizationId),
    _environmentId: new ObjectId(session.environmentId),
    _notificationId: new ObjectId(),
    _jobId: new ObjectId(),
    _templateId: new ObjectId(),
    _subscriberId: new ObjectId(),
    transactionId: unique('transaction'),
    channel: 'in_app',
    content: 'Your order is on its way',
    status: 'sent',
    createdAt: new Date(),
    ...overrides,
  };
}
