import { browserOf, roleOf } from './people-words.js';

describe('browserOf', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Edg/131.0', 'Edge on Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile Safari/604.1', 'Safari on iOS'],
    ['curl/8.5.0', 'curl'],
    ['my-script 1', 'my-script 1'],
    ['', 'Unknown browser'],
  ])('should name %p', (userAgent, name) => {
    expect(browserOf(userAgent)).toBe(name);
  });
});

describe('roleOf', () => {
  it('should take the least for what is no role', () => {
    expect(['owner', 'editor', 'viewer', 'king'].map(roleOf)).toEqual(['owner', 'editor', 'viewer', 'viewer']);
  });
});
