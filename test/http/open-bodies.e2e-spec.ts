import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { BodyReader } from '#libs/http-kit';
import type { TestSession } from '../harness/index.js';
import { eventually } from '../support/eventually.js';
import { createCallbackIntegration } from '../support/provider-callback.js';
import { RawConnection } from '../support/raw-connection.js';
import { useTestApi } from '../support/test-api.js';
import { PLATFORMS } from '../support/platforms.js';

/** Of callers who have no key, and need none. */
describe.each(PLATFORMS)('bodies without a key on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi({ ...platform, BODY_LIMIT: '1mb', BODY_LIMIT_LARGE: '1mb', BODY_BUDGET: '4mb' });
  let session: TestSession;
  let bodies: BodyReader;
  let at: string;

  beforeAll(async () => {
    session = await api.session();
    bodies = api.app.get(BodyReader);
    ({ at } = await createCallbackIntegration(session, 'mailgun'));
  });

  const head = (path: string, length: number, ...more: string[]): string => {
    const lines = [`POST ${path} HTTP/1.1`, 'Host: herald', `Content-Length: ${length}`, ...more];
    return `${lines.join('\r\n')}\r\n\r\n`;
  };

  it('should be refused packed, before anything is unpacked', async () => {
    const sent = await request(api.url)
      .post(at)
      .set({ 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .serialize((bytes: unknown) => bytes as string)
      .send(gzipSync(Buffer.alloc(4_800_000, '[{},')))
      .expect(415);
    expect(sent.body).toMatchObject({
      code: 'unsupported_media_type',
      message: 'Send the body without a Content-Encoding: only callers with a key may pack it.',
    });
  });

  it('should be refused beyond what the provider sends', async () => {
    const connection = await new RawConnection(api.url).send(head(at, 262_145)).has('"path"');
    expect(connection.answer).toContain('larger than the limit of 262144 bytes');
    connection.hangUp();
  });

  it('should end after ten seconds and leave the triggers of the environment alone meanwhile', async () => {
    const bytes = 200_000;
    const slow = Array.from({ length: 40 }, () =>
      new RawConnection(api.url).send(head(at, bytes + 1)).send(Buffer.alloc(bytes, ' ')),
    );
    await eventually(() => expect(slow.filter(({ answer }) => answer.startsWith('HTTP/1.1 503'))).not.toEqual([]));
    expect(bodies.openBudget.held).toBeGreaterThan(bytes);
    expect(bodies.budget.held).toBe(0);
    const { status, body } = await session.post('/v1/events/trigger', {
      name: 'unknown',
      to: 'ann',
      payload: { text: 'x'.repeat(900_000) },
    });
    expect({ status, body: body as unknown }).toMatchObject({ status: 422, body: { code: 'workflow_not_found' } });

    const held = slow.filter(({ answer }) => answer === '');
    const drip = setInterval(() => held.forEach((one) => one.send('')), 1_000);
    await Promise.all(held.map((one) => one.has('"path"')));
    clearInterval(drip);
    expect(held.map(({ answer }) => answer.slice(9, 12))).toEqual(held.map(() => '408'));
    await eventually(() => expect(bodies.openBudget.held).toBe(0));
    slow.forEach((one) => one.hangUp());
  });
});
