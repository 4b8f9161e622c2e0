import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const RECOVERY_CODES = 10;
/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789A';

/** For authenticator apps, all of which know these settings. */
export function totpOf(secret: string, email: string): TOTP {
  return new TOTP({
    issuer: 'Herald',
    label: email,
    secret: Secret.fromBase32(secret),
    digits: 6,
    period: PERIOD_SECONDS,
  });
}

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The period that a code belongs to: this one, or a neighbour, as clocks differ. Undefined for a wrong one. */
export function periodOf(totp: TOTP, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totp.validate({ token, timestamp: now.getTime(), window: 1 });
  return delta === null ? undefined : totp.counter({ timestamp: now.getTime() }) + delta;
}

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(12)].map((byte, at) => `${at > 0 && at % 4 === 0 ? '-' : ''}${LETTERS[byte % 32]}`).join(''),
  );
}

/** However it is written. */
export function recoveryHash(code: string): string {
  return createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest('hex');
}
