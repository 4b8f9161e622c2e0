import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { TestSession } from '../harness/index.js';
import { useTestApi } from '../support/test-api.js';
import { PLATFORMS } from '../support/platforms.js';

describe.each(PLATFORMS)('on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi(platform);
  let session: TestSession;
  beforeAll(async () => {
    session = await api.session();
  });

  /** Sends bytes as they are and reads until the server hangs up. */
  function answerTo(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      // A server that hangs up before it has read everything resets the connection behind its answer.
      socket.on('end', () => resolve(answer)).on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    });
  }

  const errorBody = (statusCode: number, code: string): unknown => ({
    statusCode,
    code,
    timestamp: expect.any(String) as string,
    path: expect.any(String) as string,
    message: expect.any(String) as string,
    error: expect.any(String) as string,
  });

  describe('a packed body', () => {
    const post = (body: Buffer, encoding: string): Promise<Response> =>
      fetch(`${api.url}/v1/feeds`, {
        method: 'POST',
        headers: {
          authorization: `ApiKey ${session.apiKey}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        body: new Uint8Array(body),
      });
    const json = Buffer.from(JSON.stringify({ name: 'Packed' }));

    it('should be unpacked', async () => {
      expect((await post(gzipSync(json), 'gzip')).status).toBe(201);
    });

    it.each([
      ['is not packed', json, 'gzip'],
      ['breaks off', gzipSync(json).subarray(0, 15), 'gzip'],
      ['is packed otherwise', gzipSync(json), 'br'],
      ['breaks off', brotliCompressSync(json).subarray(0, 5), 'br'],
      ['is not packed', json, 'deflate'],
    ])('should be refused with 400 when it %s', async (_case, body, encoding) => {
      const answer = await post(body, encoding);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual(errorBody(400, 'malformed_body'));
    });

    it('should be refused with 413 when it is too large unpacked', async () => {
      const answer = await post(gzipSync(Buffer.alloc(20_000_000, ' ')), 'gzip');
      expect(answer.status).toBe(413);
      expect(await answer.json()).toEqual(errorBody(413, 'body_too_large'));
    });
  });

  describe('what is no HTTP request', () => {
    const head = 'POST /v1/feeds HTTP/1.1\r\nHost: herald\r\nContent-Type: application/json\r\n';
    it.each([
      [
        'two Host headers',
        'GET /v1/health-check HTTP/1.1\r\nHost: herald\r\nhost: other\r\n\r\n',
        400,
        'malformed_request',
      ],
      ['a method that does not exist', 'foo /v1/feeds HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
      ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'malformed_request'],
      [
        'a length and chunks',
        `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
        400,
        'malformed_request',
      ],
      ['a chunk without a size', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'malformed_request'],
      ['huge headers', `${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'request_header_fields_too_large'],
    ])('should get the one error body: %s', async (_case, bytes, status, code) => {
      const answer = await answerTo(bytes);
      expect(answer).toContain(`HTTP/1.1 ${status} `);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual(errorBody(status, code));
    });
  });
});
