import { createHmac } from 'node:crypto';
import { type ButtonClaims, decodeButton, encodeButton } from './button-token.js';
import type { Mac } from './link-token.js';

const KEY_ID = '0a0b0c0d';
const mac: Mac = (data, keyId) => (keyId === KEY_ID ? createHmac('sha256', 'key').update(data).digest() : undefined);
const claims: ButtonClaims = { questionId: '1'.repeat(24), subscriberId: '2'.repeat(24), option: 19 };
const token = encodeButton(claims, 'integration', KEY_ID, mac);

describe('tokens of buttons', () => {
  it('should be read again, and fit where the provider has least room', () => {
    expect(decodeButton(token, 'integration', mac)).toEqual(claims);
    expect(token).toMatch(/^[\w-]{60}$/);
  });

  it('should be valid for one integration, and with a key that is known', () => {
    expect(decodeButton(token, 'another', mac)).toBeUndefined();
    expect(decodeButton(token, 'integration', () => undefined)).toBeUndefined();
  });

  it('should not be valid with a single bit changed', () => {
    const bits = Buffer.from(token, 'base64url').length * 8;
    for (let bit = 0; bit < bits; bit += 1) {
      const bytes = Buffer.from(token, 'base64url');
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(decodeButton(bytes.toString('base64url'), 'integration', mac)).toBeUndefined();
    }
  });

  it.each(['', 'x', token.slice(1), `${token}AA`, `${token}=`])('should not be valid as %j', (text) => {
    expect(decodeButton(text, 'integration', mac)).toBeUndefined();
  });
});
