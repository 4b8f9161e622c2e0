import { newRecoveryCodes, newTotpSecret, periodOf, recoveryHash, totpOf } from './totp.js';

const AT = new Date('2026-11-25T12:00:10.000Z');
const inSeconds = (seconds: number): Date => new Date(AT.getTime() + seconds * 1_000);

describe('codes of authenticator apps', () => {
  // The test vector of RFC 6238, with six digits.
  it('should be those of the standard', () => {
    const totp = totpOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'a@b.c');
    expect(periodOf(totp, '287 082', new Date(59_000))).toBe(1);
  });

  it('should be valid in their period and in the neighbours, and name it', () => {
    const totp = totpOf(newTotpSecret(), 'ada@example.com');
    const code = totp.generate({ timestamp: AT.getTime() });
    const period = Math.floor(AT.getTime() / 30_000);
    expect([-30, 0, 30].map((seconds) => periodOf(totp, code, inSeconds(seconds)))).toEqual([period, period, period]);
    expect([-90, 90].map((seconds) => periodOf(totp, code, inSeconds(seconds)))).toEqual([undefined, undefined]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '-12345'])('should not be %p', (code) => {
    expect(periodOf(totpOf(newTotpSecret(), 'a@b.c'), code, AT)).toBeUndefined();
  });
});

describe('recovery codes', () => {
  it('should be ten different ones that are easy to read', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[A-HJKMNP-Z2-9]{4}-){2}[A-HJKMNP-Z2-9]{4}$/);
  });

  it('should be the same however they are typed', () => {
    expect(recoveryHash(' k7qf 2mxrpa5t')).toBe(recoveryHash('K7QF-2MXR-PA5T'));
  });
});
