import { type KeyHeaders, keyFrom } from './key-header.js';

const KEY = '0123456789abcdef0123456789abcdef';

describe('keyFrom', () => {
  it.each<[string, KeyHeaders]>([
    ['ApiKey', { authorization: `ApiKey ${KEY}` }],
    ['Bearer', { authorization: `Bearer ${KEY}` }],
    ['a scheme in another case', { authorization: `bEaReR   ${KEY}` }],
    ['the bare key', { authorization: `  ${KEY} ` }],
    ['X-Api-Key', { 'x-api-key': ` ${KEY} ` }],
    ['both, alike', { authorization: `ApiKey ${KEY}`, 'x-api-key': KEY }],
    ['both, one of them empty', { authorization: '', 'x-api-key': KEY }],
    ['a header that was sent twice, alike', { authorization: [`ApiKey ${KEY}`, KEY] }],
  ])('should read %s', (_case, headers) => {
    expect(keyFrom(headers)).toBe(KEY);
  });

  it.each<[string, KeyHeaders, string]>([
    ['nothing', {}, 'carries no API key'],
    ['blanks', { authorization: '  ', 'x-api-key': '' }, 'carries no API key'],
    ['a scheme without a key', { authorization: 'ApiKey  ' }, 'empty API key'],
    ['Bearer without a key', { authorization: 'bearer' }, 'empty API key'],
    ['another scheme', { authorization: `Basic ${KEY}` }, 'other than ApiKey and Bearer'],
    ['another scheme beside a key', { authorization: `Basic ${KEY}`, 'x-api-key': KEY }, 'other than'],
    ['two keys in one header', { authorization: `ApiKey ${KEY} ${KEY}` }, 'more than a scheme'],
    ['two joined headers', { authorization: `ApiKey ${KEY}, ApiKey ${KEY}` }, 'more than a scheme'],
    ['two keys in X-Api-Key', { 'x-api-key': `${KEY}, ${KEY}` }, 'one API key and nothing else'],
    ['a scheme in X-Api-Key', { 'x-api-key': `ApiKey ${KEY}` }, 'one API key and nothing else'],
    ['different keys', { authorization: `ApiKey ${KEY}`, 'x-api-key': `${KEY}x` }, 'different API keys'],
    ['a header that was sent twice', { 'x-api-key': [KEY, `${KEY}x`] }, 'different API keys'],
  ])('should refuse %s without repeating it', (_case, headers, text) => {
    expect(() => keyFrom(headers)).toThrow(text);
    expect(() => keyFrom(headers)).not.toThrow(KEY);
  });
});
