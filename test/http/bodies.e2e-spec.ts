import { gzipSync } from 'node:zlib';
import { BodyReader } from '#libs/http-kit';
import type { TestSession } from '../harness/index.js';
import { eventually } from '../support/eventually.js';
import { RawConnection } from '../support/raw-connection.js';
import { useTestApi } from '../support/test-api.js';
import { PLATFORMS } from '../support/platforms.js';

describe.each(PLATFORMS)('on $HTTP_PLATFORM', (platform) => {
  const MB = 1_048_576;

  const api = useTestApi({ ...platform, BODY_LIMIT_LARGE: '5mb', BODY_BUDGET: '8mb' });
  let session: TestSession;
  let bodies: BodyReader;
  beforeAll(async () => {
    // The smallest that there can be: a callback of a provider may have 5 MB.
    session = await api.session();
    bodies = api.app.get(BodyReader);
  });

  const post = async (
    body: Buffer | string,
    type = 'application/json',
    caller = session,
    path = '/v1/feeds',
  ): Promise<{ status: number; code?: string; message?: unknown; retryAfter: string | null }> => {
    const answer = await fetch(api.url + path, {
      method: 'POST',
      headers: { authorization: `ApiKey ${caller.apiKey}`, 'content-type': type },
      body: new Uint8Array(Buffer.from(body)),
    });
    const { code, message } = (await answer.json()) as { code?: string; message?: unknown };
    return {
      status: answer.status,
      ...(code !== undefined && { code, message }),
      retryAfter: answer.headers.get('retry-after'),
    };
  };

  describe('the charset of a body', () => {
    const json = (name: string): string => JSON.stringify({ name });

    it.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('should be taken as %s', async (charset) => {
      const { status } = await post(json(`Feed ä ${charset}`), `application/json; charset=${charset}`);
      expect(status).toBe(201);
    });

    it.each(['utf-16', 'utf-16le', 'utf-16be', 'utf-32', 'utf-7', 'latin1', '"utf-16"', 'x'])(
      'should be refused as %s, with what to do',
      async (charset) => {
        const body = Buffer.from(json('Feed'), 'utf16le');
        const refused = await post(body, `application/json;charset=${charset}`);
        expect(refused).toMatchObject({
          status: 415,
          code: 'unsupported_media_type',
          message: 'Send the body as UTF-8.',
        });
      },
    );

    it.each([
      ['a byte that begins no character', [0xff]],
      ['half a character', [0xc3]],
      ['half of a pair', [0xed, 0xa0, 0x80]],
      ['a character that is too long', [0xc0, 0xaf]],
    ])('should be what it says: %s', async (_case, bytes) => {
      const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(await post(body)).toMatchObject({ status: 400, code: 'malformed_body' });
    });

    it('should be known by its mark as well', async () => {
      expect((await post(`\ufeff${json('Marked')}`)).status).toBe(201);
    });
  });

  describe('large bodies', () => {
    const trigger = (payload: string): string => `{"name":"unknown","to":"ann","payload":${payload}}`;
    const send = (payload: string): ReturnType<typeof post> =>
      post(trigger(payload), 'application/json', session, '/v1/events/trigger');

    it('should be read as small ones are', async () => {
      const text = 'Ä "quoted" \\ text '.repeat(100_000);
      const lists = JSON.stringify({ text, list: Array.from({ length: 20_000 }, (_, at) => ({ at })) });
      expect(await send(lists)).toMatchObject({ status: 422, code: 'workflow_not_found' });
    });

    it.each([
      ['masses of keys', `{${Array.from({ length: 250_000 }, (_, at) => `"${at}":1`).join()}}`],
      ['masses of texts', `[${'"",'.repeat(250_000)}""]`],
      ['masses of numbers', `[${'1,'.repeat(1_000_000)}1]`],
    ])('should be refused with %s', async (_case, payload) => {
      const message = ['the body has more than 200000 keys and entries'];
      expect(await send(payload)).toMatchObject({ status: 400, code: 'validation_failed', message });
    });

    it.each([
      [
        'a hostile key',
        `{"text":"${'x'.repeat(100_000)}","deep":[0,{"__proto__":1}]}`,
        'payload.deep.1.__proto__ is not',
      ],
      ['nesting', `{"text":"${'x'.repeat(100_000)}","deep":${'['.repeat(99)}${']'.repeat(99)}}`, 'nested deeper'],
      ['half of a character', `{"text":"${'x'.repeat(100_000)}\\ud800"}`, 'payload.text must be valid Unicode'],
    ])('should be refused with %s, named by its path', async (_case, payload, fault) => {
      const { status, message } = await send(payload);
      expect({ status, message }).toEqual({ status: 400, message: [expect.stringContaining(fault)] });
    });

    it('should be refused when they break off', async () => {
      const { status, code } = await send(`[${'{"a":1},'.repeat(50_000)}`);
      expect({ status, code }).toEqual({ status: 400, code: 'malformed_body' });
    });

    it('should be counted by what they are unpacked, and be refused beyond the limit', async () => {
      const answer = await fetch(`${api.url}/v1/events/trigger`, {
        method: 'POST',
        headers: {
          authorization: `ApiKey ${session.apiKey}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: new Uint8Array(gzipSync(Buffer.alloc(50 * MB, ' '))),
      });
      expect(answer.status).toBe(413);
      await eventually(() => expect(bodies.budget.held).toBe(0));
    });
  });

  describe('the budget of bytes over all connections', () => {
    /** Has sent all but the last byte of a body. */
    const holding = async (caller: TestSession, bytes: number): Promise<RawConnection> => {
      const before = bodies.budget.held;
      const head = [
        'POST /v1/events/trigger HTTP/1.1',
        'Host: herald',
        'Content-Type: application/json',
        `Content-Length: ${bytes + 1}`,
        `Authorization: ApiKey ${caller.apiKey}`,
      ];
      const connection = new RawConnection(api.url).send(`${head.join('\r\n')}\r\n\r\n`).send(Buffer.alloc(bytes, ' '));
      await eventually(() => expect(bodies.budget.held - before).toBe(bytes));
      return connection;
    };
    const large = `{"name":"unknown","to":"ann","payload":{"text":"${'x'.repeat(4 * MB)}"}}`;
    const sendLarge = (caller: TestSession): ReturnType<typeof post> =>
      post(large, 'application/json', caller, '/v1/events/trigger');

    it('should answer 503 when it is used up, and let bodies in again when there is room', async () => {
      const other = await api.session();
      const connection = await holding(session, 5 * MB - 10);
      expect(await sendLarge(other)).toMatchObject({ status: 503, code: 'too_many_large_bodies', retryAfter: '1' });
      expect((await post('{"name":"Small"}', 'application/json', other)).status).toBe(201);

      connection.hangUp();
      await eventually(() => expect(bodies.budget.held).toBe(0));
      expect(await sendLarge(other)).toMatchObject({ status: 422 });
      await eventually(() => expect(bodies.budget.held).toBe(0));
    });

    it('should leave room for other environments', async () => {
      const connection = await holding(session, 3 * MB);
      expect(await sendLarge(session)).toMatchObject({ status: 503 });
      const other = await api.session();
      expect(await sendLarge(other)).toMatchObject({ status: 422 });
      connection.hangUp();
      await eventually(() => expect(bodies.budget.held).toBe(0));
    });
  });
});
