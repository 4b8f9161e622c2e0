import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { decodeLink, encodeLink, type LinkClaims, type Mac } from './link-token.js';

const id = (digit: string): string => digit.repeat(24);
const claims: LinkClaims = {
  channel: 'email',
  environmentId: id('1'),
  organizationId: id('2'),
  subscriberId: id('3'),
  workflowId: id('4'),
  messageId: id('5'),
};
const KEYS: Readonly<Record<string, string>> = { '0a0b0c0d': 'current', '01020304': 'old' };
const mac: Mac = (data, keyId) => {
  const key = KEYS[keyId];
  return key === undefined ? undefined : createHmac('sha256', key).update(data).digest();
};
const token = encodeLink('unsubscribe', claims, '0a0b0c0d', mac);

describe('link tokens', () => {
  it('should give back what they were made of', () => {
    expect(decodeLink(token, 'unsubscribe', mac)).toEqual(claims);
  });

  it('should be the same for the same claims', () => {
    expect(encodeLink('unsubscribe', claims, '0a0b0c0d', mac)).toBe(token);
  });

  it('should be read with an older key while it is known', () => {
    const older = encodeLink('unsubscribe', claims, '01020304', mac);
    expect(decodeLink(older, 'unsubscribe', mac)).toEqual(claims);
    const withoutOld: Mac = (data, keyId) => (keyId === '01020304' ? undefined : mac(data, keyId));
    expect(decodeLink(older, 'unsubscribe', withoutOld)).toBeUndefined();
  });

  it('should not serve another purpose', () => {
    expect(decodeLink(token, 'preferences', mac)).toBeUndefined();
  });

  it('should be refused after a change of any byte', () => {
    const bytes = Buffer.from(token, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ change;
        expect(decodeLink(changed.toString('base64url'), 'unsubscribe', mac)).toBeUndefined();
      }),
    );
  });

  it.each([
    '',
    '!',
    token.slice(1),
    `${token}A`,
    `${token}=`,
    `${token}.`,
    token.toLowerCase(),
    'A'.repeat(token.length),
  ])('should be refused as %j', (text) => expect(decodeLink(text, 'unsubscribe', mac)).toBeUndefined());

  describe('with a target', () => {
    const target = 'https://shop.example/orders?a=1';
    const click = encodeLink('click', { ...claims, target }, '0a0b0c0d', mac);

    it('should give back the target', () => {
      expect(decodeLink(click, 'click', mac)).toEqual({ ...claims, target });
    });

    it('should be needed for a click, and for nothing else', () => {
      expect(decodeLink(encodeLink('click', claims, '0a0b0c0d', mac), 'click', mac)).toBeUndefined();
      expect(encodeLink('unsubscribe', { ...claims, target }, '0a0b0c0d', mac)).toBe(token);
      expect(decodeLink(click, 'unsubscribe', mac)).toBeUndefined();
    });

    it('should be refused after a change of any byte', () => {
      const bytes = Buffer.from(click, 'base64url');
      for (let place = 0; place < bytes.length; place++) {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ 1;
        expect(decodeLink(changed.toString('base64url'), 'click', mac)).toBeUndefined();
      }
    });

    it('should be refused where a part of it is cut out or put in', () => {
      const bytes = Buffer.from(click, 'base64url');
      const shorter = Buffer.concat([bytes.subarray(0, -17), bytes.subarray(-16)]);
      const longer = Buffer.concat([bytes.subarray(0, -16), Buffer.from('x'), bytes.subarray(-16)]);
      for (const changed of [shorter, longer]) {
        expect(decodeLink(changed.toString('base64url'), 'click', mac)).toBeUndefined();
      }
    });
  });

  describe('with a tenant', () => {
    const whole = { ...claims, tenantId: id('6') };
    const page = encodeLink('preferences', whole, '0a0b0c0d', mac);

    it('should give back the tenant', () => expect(decodeLink(page, 'preferences', mac)).toEqual(whole));

    it('should be refused where the tenant is changed, cut off or put in', () => {
      const bytes = Buffer.from(page, 'base64url');
      const tag = bytes.subarray(-16);
      const body = bytes.subarray(0, -16);
      const other = Buffer.from(body);
      other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
      for (const changed of [other, body.subarray(0, -12), Buffer.concat([body, Buffer.alloc(12)])]) {
        expect(decodeLink(Buffer.concat([changed, tag]).toString('base64url'), 'preferences', mac)).toBeUndefined();
      }
    });
  });
});
