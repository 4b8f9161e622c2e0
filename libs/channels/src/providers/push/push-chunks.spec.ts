import { createChannelRegistry, type PushMessage, type SendResult } from '../../index.js';
import { PUSH } from '../../../test/provider-case.js';
import { startRecordingServer, type RecordingServer } from '../../../test/recording-server.js';

describe('push messages with more targets than a request takes', () => {
  let server: RecordingServer;
  const registry = createChannelRegistry({ allowPrivateUrls: true });

  beforeAll(async () => {
    server = await startRecordingServer();
  });
  afterAll(async () => {
    await registry.close();
    await server.close();
  });

  const send = (id: string, credentials: Record<string, unknown>, message: PushMessage): Promise<SendResult> =>
    registry.send('push', id, message, { credentials, idempotencyKey: 'k', baseUrl: server.url });

  it('should send several requests and sum them up', async () => {
    server.requests.splice(0);
    const target = Array.from({ length: 250 }, (_value, index) => `token-${index}`);
    server.answer = ({ body }) => {
      const messages = JSON.parse(body.toString()) as unknown[];
      if (server.requests.length === 2) return { status: 503, body: {} };
      return { body: { data: messages.map(() => ({ status: 'ok', id: `part-${server.requests.length}` })) } };
    };
    const result = await send('expo', { apiKey: 'k' }, { ...PUSH, target });
    expect(server.requests).toHaveLength(3);
    expect(result.id).toBe('part-1');
    expect(result.raw).toMatchObject({ failed: [{ code: 'unavailable' }] });
  });

  it('should give each request of one-signal a key of its own, the same on every attempt', async () => {
    server.requests.splice(0);
    server.answer = () => ({ body: { id: '1' } });
    const target = Array.from({ length: 2_001 }, (_value, index) => `token-${index}`);
    const credentials = { applicationId: 'a', apiKey: 'k' };
    await send('one-signal', credentials, { ...PUSH, target });
    await send('one-signal', credentials, { ...PUSH, target });
    const keys = server.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { idempotency_key: string }).idempotency_key,
    );
    expect(keys).toHaveLength(4);
    expect(keys.slice(2)).toEqual(keys.slice(0, 2));
    expect(new Set(keys).size).toBe(2);
  });

  it('should say that a part may have been sent rather than that another can be sent later', async () => {
    const target = Array.from({ length: 150 }, (_value, index) => `token-${index}`);
    server.requests.splice(0);
    server.answer = () => (server.requests.length === 1 ? { breaksOff: 'before' } : { status: 503, body: {} });
    const sending = send('expo', { apiKey: 'k' }, { ...PUSH, target });
    await expect(sending).rejects.toMatchObject({ code: 'unreachable', outcome: 'uncertain' });
  });

  it('should fail when no request was accepted, with the failure that can pass', async () => {
    const target = Array.from({ length: 150 }, (_value, index) => `token-${index}`);
    server.requests.splice(0);
    server.answer = () => (server.requests.length === 1 ? { status: 400, body: {} } : { status: 503, body: {} });
    const sending = send('expo', { apiKey: 'k' }, { ...PUSH, target });
    await expect(sending).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});
