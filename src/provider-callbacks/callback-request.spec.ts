import type { RawBodyRequest } from '#libs/http-kit';
import { toCallbackRequest } from './callback-request.js';

const requestOf = (headers: RawBodyRequest['headers'], rawBody?: Buffer): RawBodyRequest =>
  ({ headers, protocol: 'http', originalUrl: '/v1/provider-callbacks/1?a=b', rawBody }) as RawBodyRequest;

describe('toCallbackRequest', () => {
  it('should take the URL from the request', () => {
    const { url, query } = toCallbackRequest(requestOf({ host: 'herald.example' }));
    expect(url).toBe('http://herald.example/v1/provider-callbacks/1?a=b');
    expect(query).toEqual({ a: 'b' });
  });

  it('should see the URL that was called behind proxies', () => {
    const headers = { host: 'inside:3000', 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'herald.example' };
    expect(toCallbackRequest(requestOf(headers)).url).toBe('https://herald.example/v1/provider-callbacks/1?a=b');
  });

  it('should prefer the configured address', () => {
    const { url } = toCallbackRequest(requestOf({ host: 'inside:3000' }), 'https://public.example/herald');
    expect(url).toBe('https://public.example/herald/v1/provider-callbacks/1?a=b');
  });

  it('should keep the bytes of the body, and take none for an empty one', () => {
    expect(toCallbackRequest(requestOf({}, Buffer.from([0, 255]))).rawBody).toEqual(Buffer.from([0, 255]));
    expect(toCallbackRequest(requestOf({})).rawBody).toHaveLength(0);
  });
});
