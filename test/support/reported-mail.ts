import type { TestApp, TestSession } from '../harness/index.js';
import { dataOf, type Json } from './answers.js';
import { unique } from '../factories/ids.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';

export interface MailOptions {
  readonly identifier?: string;
  readonly subscriber?: Json;
}

/** A mail that a provider has taken, and how to find out what became of it. */
export interface ReportedMail extends Inbox {
  /** The provider's own id of it. */
  readonly identifier: string;
  message(): Promise<Json>;
  details(): Promise<Json[]>;
  person(): Promise<Json>;
}

export async function createMail(
  api: TestApp,
  session: TestSession,
  providerId: string,
  options: MailOptions = {},
): Promise<ReportedMail> {
  const identifier = options.identifier ?? unique('provider-id');
  const email = `${unique('ann')}@example.com`;
  const inbox = await createInbox(api, session, { subscriber: { email, ...options.subscriber } });
  await inbox.deliver({ channel: 'email', providerId, identifier, email, status: 'sent' });
  const message = async (): Promise<Json> => {
    const query = `?channel=email&subscriberId=${inbox.subscriber.subscriberId}`;
    const [row] = dataOf<Json[]>(await session.get(`/v1/messages${query}`).expect(200));
    if (row === undefined) throw new Error('The message is gone.');
    return row;
  };
  return {
    ...inbox,
    identifier,
    message,
    details: async () => {
      const { _notificationId } = await message();
      const query = `?notificationId=${String(_notificationId)}&subscriberId=${inbox.subscriber.subscriberId}`;
      return dataOf<Json[]>(await session.get(`/v1/execution-details${query}`).expect(200));
    },
    person: async () => dataOf(await session.get(inbox.path).expect(200)),
  };
}
