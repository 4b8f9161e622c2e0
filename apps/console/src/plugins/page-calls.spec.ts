import { allowedCall } from './page-calls.js';

const allowed = (method: string, path: string): string | undefined => {
  const call = allowedCall({ id: 1, method, path }, ['/v1/rooms']);
  return call && `${call.method} ${call.path}`;
};

describe('allowedCall', () => {
  it.each([
    ['GET', '/v1/rooms', 'get /v1/rooms'],
    ['post', '/v1/rooms/1/beds', 'post /v1/rooms/1/beds'],
    ['GET', '/v1/rooms?page=1', 'get /v1/rooms?page=1'],
  ])('should let %s %s pass', (method, path, expected) => {
    expect(allowed(method, path)).toBe(expected);
  });

  it.each([
    ['GET', '/v1/subscribers'],
    ['GET', '/v1/roomsandmore'],
    ['GET', '/v1/rooms/../subscribers'],
    ['GET', '/v1/rooms/%2e%2e/subscribers'],
    ['GET', '/v1/rooms/..\\subscribers'],
    ['GET', 'https://example.com/v1/rooms'],
    ['GET', '//example.com/v1/rooms'],
    ['TRACE', '/v1/rooms'],
  ])('should refuse %s %s', (method, path) => {
    expect(allowed(method, path)).toBeUndefined();
  });
});
