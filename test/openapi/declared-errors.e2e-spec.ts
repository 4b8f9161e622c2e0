import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { takeUndeclared, undeclaredError, watchErrors } from '../support/declared-errors.js';

const error = (statusCode: number, code: string, message: string): Parameters<typeof undeclaredError>[2] => ({
  statusCode,
  code,
  message,
});
const FEED = '/v1/feeds/64f0c1a2b3c4d5e6f7a8b9c1';

describe('the check of sent errors', () => {
  it('should accept errors that the document shows, with any values', () => {
    const text = "This environment has no feed with the id '1'. List them with GET /v1/feeds.";
    expect(undeclaredError('DELETE', `${FEED}?a=b`, error(404, 'feed_not_found', text))).toBeUndefined();
  });

  it('should report errors that the document does not show at the operation', () => {
    const fault = undeclaredError('POST', '/v1/feeds', error(409, 'feed_in_use', 'The feed is in use.'));
    expect(fault).toContain('POST /v1/feeds sent 409 feed_in_use, which the OpenAPI document does not show');
    expect(fault).toMatch(/ApiErrors\(\) above src\/content\/feeds\/feeds\.controller\.ts:\d+, then npm run docs/);
    expect(undeclaredError('DELETE', FEED, error(409, 'feed_not_found', ''))).toContain('does not show');
  });

  it('should report other texts than the document shows', () => {
    const fault = undeclaredError('DELETE', FEED, error(404, 'feed_not_found', 'There is no such feed.'));
    expect(fault).toContain('with another text than the OpenAPI document shows');
    const ofAnother = "This environment has no message with the id '1'. List them with GET /v1/messages.";
    const mark = '/v1/inbox/notifications/64f0c1a2b3c4d5e6f7a8b9c1/read';
    expect(undeclaredError('PATCH', mark, error(404, 'message_not_found', ofAnother))).toContain('another text');
  });

  it('should see what a server sends', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.method === 'GET' ? 200 : 409;
      response.end(JSON.stringify(error(409, 'feed_in_use', 'The feed is in use.')));
    });
    watchErrors(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/feeds`;
    // Files that ran before in this process share the list.
    takeUndeclared();
    await (await fetch(url)).text();
    expect(takeUndeclared()).toEqual([]);
    await (await fetch(url, { method: 'POST' })).text();
    expect(takeUndeclared()).toEqual([expect.stringContaining('POST /v1/feeds sent 409 feed_in_use')]);
    server.close();
  });

  it('should leave routes alone that the document does not have', () => {
    expect(undeclaredError('GET', '/v1/announcements/1', error(404, 'announcement_not_found', ''))).toBeUndefined();
    expect(undeclaredError('GET', '/v1/health-checks', error(404, 'route_not_found', ''))).toBeUndefined();
  });
});
