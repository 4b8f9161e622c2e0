import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LiveFeedReader } from '../../engine/messages/live/index.js';
import type { LiveMessage } from '../../engine/messages/views/index.js';
import { StreamConnection } from './stream-connection.js';
import { StreamCursor } from './stream-cursor.js';

const HUGE = 10_000_000;

describe('StreamConnection', () => {
  it('should hang up on a client that does not read to the end', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sent = get({ port: (server.address() as AddressInfo).port, agent: false });
    sent
      .on('error', () => undefined)
      .on('response', (answer: IncomingMessage) => answer.on('error', () => undefined).pause());
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const subscriber = { id: 'ann', subscriberId: 'ann', expiresAt: new Date() };
    const stream = new StreamConnection(response, {
      session: { subscriber, environmentId: 'environment', organizationId: 'organization' },
      address: '127.0.0.1',
      cursor: new StreamCursor(0),
      reader: {} as LiveFeedReader,
      onFailure: (error) => {
        throw error;
      },
    });
    const message = { _id: 'a'.repeat(24), createdAt: new Date(), content: 'x'.repeat(HUGE) } as unknown as LiveMessage;
    stream.deliver({ messages: [message], hasSkipped: false });
    stream.end();
    const closed = once(response, 'close');
    stream.beat();
    expect(response.destroyed).toBe(false);
    stream.beat();
    await closed;
    sent.destroy();
    server.close();
  });
});
