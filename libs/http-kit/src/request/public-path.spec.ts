import { publicPathOf, withoutPublicPath } from './public-path.js';

describe('publicPathOf', () => {
  it.each([
    [undefined, ''],
    ['https://herald.example.com', ''],
    ['https://example.com/herald', '/herald'],
    ['https://example.com:8443/tools/herald', '/tools/herald'],
  ])('should be, of %s, %j', (publicUrl, path) => {
    expect(publicPathOf(publicUrl)).toBe(path);
  });
});

describe('withoutPublicPath', () => {
  it.each([
    ['/herald/v1/feeds?a=/herald/', '/v1/feeds?a=/herald/'],
    ['/herald', '/'],
    ['/herald?a=1', '/?a=1'],
    ['/herald/', '/'],
    ['/v1/feeds', '/v1/feeds'],
    ['/heralds/v1', '/heralds/v1'],
    ['/v1/herald/x', '/v1/herald/x'],
    ['*', '*'],
  ])('should make %s to %s', (url, routed) => {
    expect(withoutPublicPath(url, '/herald')).toBe(routed);
  });
});
