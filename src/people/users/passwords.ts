import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { hashPassword, isOutdated, isPassword } from './password-hash.js';
import { PasswordsOff, PasswordTooWeak, SignInBusy } from './users.errors.js';

const MIN_LENGTH = 12;
/** Of Node's four threads, which also read files and resolve names. */
const AT_A_TIME = 2;
const MAX_WAITING = 50;

/** Hashes a few passwords at a time, so that sign-ins use neither all memory nor all threads. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly cost: number;

  constructor(private readonly config: AppConfig) {
    this.cost = config.get('PASSWORD_HASH_COST');
  }

  /** @throws {PasswordsOff} */
  assertOn(): void {
    if (this.config.get('PASSWORD_SIGN_IN') === 'off') throw new PasswordsOff();
  }

  hash(password: string): Promise<string> {
    return this.inTurn(() => hashPassword(password, this.cost));
  }

  /** As slow for somebody who does not exist, or has no password. */
  matches(password: string, hash: string | undefined): Promise<boolean> {
    return this.inTurn(() => isPassword(password, hash, this.cost));
  }

  isOutdated(hash: string): boolean {
    return isOutdated(hash, this.cost);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_A_TIME) {
      if (this.waiting.length >= MAX_WAITING) throw new SignInBusy();
      await new Promise<void>((go) => this.waiting.push(go));
    } else this.running++;
    try {
      return await work();
    } finally {
      // The place goes to the next one, if there is any.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}

/** @throws {PasswordTooWeak} */
export function assertGoodPassword(password: string, email: string): void {
  const fault = faultOf(password, email);
  if (fault !== undefined) throw new PasswordTooWeak(fault);
}

function faultOf(password: string, email: string): string | undefined {
  if ([...password].length < MIN_LENGTH) return `has fewer than ${MIN_LENGTH} characters`;
  if (new Set(password).size < 5) return 'has fewer than five different characters';
  const [name = ''] = email.split('@');
  const text = password.toLowerCase();
  return text === email || (name.length >= 4 && text.startsWith(name) && text.length - name.length < 6)
    ? 'is close to the email address'
    : undefined;
}
