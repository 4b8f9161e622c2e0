import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastAnswers } from './connections.js';

describe('lastAnswers', () => {
  let server: Server;
  let agent: Agent;
  /** Each answers one waiting request, in the order in which they came. */
  let answers: (() => void)[];
  let arrived: () => void;

  beforeEach(async () => {
    answers = [];
    arrived = (): void => undefined;
    server = createServer((_request, response) => {
      answers.push(() => response.end('done'));
      arrived();
    });
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  const ask = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      get({ host: '127.0.0.1', port, agent }, (answer) => answer.resume().on('end', () => resolve(answer))).on(
        'error',
        reject,
      );
    });
  const waiting = (): Promise<void> => new Promise((resolve) => (arrived = resolve));

  it('should let connections live until it is called', async () => {
    lastAnswers(server);
    const there = waiting();
    const answer = ask();
    await there;
    answers[0]?.();
    expect((await answer).headers.connection).toBe('keep-alive');
  });

  it('should end the connection of a request under way with its answer, so that the server can close', async () => {
    const begin = lastAnswers(server);
    const there = waiting();
    const answer = ask();
    await there;
    begin();
    const closed = new Promise((resolve) => server.close(resolve));
    answers[0]?.();
    expect((await answer).headers.connection).toBe('close');
    await closed;
  });

  it('should end the connection of a request that comes afterwards too', async () => {
    lastAnswers(server)();
    const there = waiting();
    const answer = ask();
    await there;
    answers[0]?.();
    expect((await answer).headers.connection).toBe('close');
  });
});
