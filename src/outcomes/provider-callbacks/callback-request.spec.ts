import { toCallbackRequest } from './callback-request.js';
import { CallbackHostInvalid } from './provider-callbacks.errors.js';

const NOTHING = Buffer.alloc(0);
type CalledRequest = Parameters<typeof toCallbackRequest>[0];
const requestOf = (host: string, fields: Partial<CalledRequest> = {}): CalledRequest => ({
  headers: { host },
  protocol: 'http',
  host,
  originalUrl: '/v1/provider-callbacks/1?a=b',
  ...fields,
});

describe('toCallbackRequest', () => {
  it('should take the URL from the request', () => {
    const { url, query } = toCallbackRequest(requestOf('herald.example:3000'), NOTHING);
    expect(url).toBe('http://herald.example:3000/v1/provider-callbacks/1?a=b');
    expect(query).toEqual({ a: 'b' });
  });

  it('should prefer the configured address, whatever the request says of itself', () => {
    const { url } = toCallbackRequest(requestOf('['), NOTHING, 'https://public.example/herald');
    expect(url).toBe('https://public.example/herald/v1/provider-callbacks/1?a=b');
  });

  it.each(['[', 'a b', '%', 'x:y:z', 'evil:99999', '', 'a/b', 'user@host', '[::1', 'a?b', 'ä'])(
    'should refuse the host %j',
    (host) => {
      expect(() => toCallbackRequest(requestOf(host), NOTHING)).toThrow(CallbackHostInvalid);
    },
  );

  it.each(['[::1]:3000', '10.0.0.1', 'xn--e1afmkfd.example', 'host_name'])('should take the host %j', (host) => {
    expect(toCallbackRequest(requestOf(host), NOTHING).url).toContain(`http://${host}/`);
  });

  it.each(['/v1/provider-callbacks/1', '/v1/provider-callbacks/1?', '/v1/provider-callbacks/1?%', '//['])(
    'should read the query of %j',
    (originalUrl) => {
      expect(() => toCallbackRequest(requestOf('herald', { originalUrl }), NOTHING)).not.toThrow();
    },
  );

  it('should keep the bytes of the body', () => {
    expect(toCallbackRequest(requestOf('herald'), Buffer.from([0, 255])).rawBody).toEqual(Buffer.from([0, 255]));
  });
});
