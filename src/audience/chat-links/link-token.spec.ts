import { linkToken, readLinkToken } from './link-token.js';

const NOW = new Date('2026-01-01T12:00:00.000Z');
const claims = { subscriberRecordId: '64f0c1a2b3c4d5e6f7a8b9c0', expiresAt: new Date('2026-01-01T13:00:00.000Z') };
const token = linkToken(claims, 'integration', 'key');

describe('linkToken', () => {
  it('should be read again, and be short enough for a link', () => {
    expect(readLinkToken(token, 'integration', 'key', NOW)).toEqual(claims);
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('should be valid for one integration, with its key, until it expires', () => {
    expect(readLinkToken(token, 'another', 'key', NOW)).toBeUndefined();
    expect(readLinkToken(token, 'integration', 'another', NOW)).toBeUndefined();
    expect(readLinkToken(token, 'integration', 'key', claims.expiresAt)).toBeUndefined();
  });

  it('should not be valid with a single bit changed', () => {
    for (let bit = 0; bit < 256; bit += 1) {
      const bytes = Buffer.from(token, 'base64url');
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(readLinkToken(bytes.toString('base64url'), 'integration', 'key', NOW)).toBeUndefined();
    }
  });

  it.each(['', 'x', token.slice(1), `${token}AA`])('should not be valid as %j', (text) => {
    expect(readLinkToken(text, 'integration', 'key', NOW)).toBeUndefined();
  });
});
