import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '#libs/common';
import { onDuplicateKey } from '#libs/persistence';
import { SignInWindow } from './user.schema.js';
import { TooManySignIns } from './users.errors.js';

const WINDOW_MS = 15 * 60_000;
/** Attempts in a window. */
const OF_ACCOUNT_AND_NETWORK = 10;
const OF_ACCOUNT = 20;
const OF_NETWORK = 100;

export interface SignInAttempt {
  /** Undefined where it is not known yet who signs in. */
  readonly email?: string;
  readonly network: string;
  /** The account was used from this network before: others who guess do not lock it out. */
  readonly isKnownNetwork: boolean;
}

/**
 * Counts attempts before the password is looked at, in the store, so that neither attempts at the same time nor a restart get around
 * it. Whether the account exists makes no difference.
 */
@Injectable()
export class SignInLimits {
  constructor(
    @InjectModel(SignInWindow.name) private readonly windows: Model<SignInWindow>,
    private readonly clock: Clock,
  ) {}

  async admits(attempt: SignInAttempt): Promise<boolean> {
    const counts = await Promise.all(limitsOf(attempt).map(({ key, most }) => this.count(key, most)));
    return counts.every((isOver) => !isOver);
  }

  /** @throws {TooManySignIns} */
  async admit(attempt: SignInAttempt): Promise<void> {
    if (!(await this.admits(attempt)))
      throw new TooManySignIns(Math.ceil((this.window().end - this.clock.now().getTime()) / 1_000));
  }

  /** After a success: it was no guess. */
  async forgive(attempt: SignInAttempt): Promise<void> {
    const { start } = this.window();
    const keys = limitsOf(attempt).map(({ key }) => `${start}:${key}`);
    await this.windows.updateMany({ key: { $in: keys }, attempts: { $gt: 0 } }, { $inc: { attempts: -1 } });
  }

  /** @returns false if it was taken before */
  async takeOnce(key: string, expiresAt: Date): Promise<boolean> {
    return this.windows
      .create({ key: `once:${key}`, attempts: 1, expiresAt })
      .then(() => true)
      .catch(onDuplicateKey(() => false));
  }

  private async count(key: string, most: number): Promise<boolean> {
    const { start, end } = this.window();
    const add = (): Promise<SignInWindow | null> =>
      this.windows
        .findOneAndUpdate(
          { key: `${start}:${key}` },
          { $inc: { attempts: 1 }, $setOnInsert: { expiresAt: new Date(end + WINDOW_MS) } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean()
        .exec();
    const window = await add().catch(onDuplicateKey(add));
    return window !== null && window.attempts > most;
  }

  private window(): { readonly start: number; readonly end: number } {
    const start = Math.floor(this.clock.now().getTime() / WINDOW_MS) * WINDOW_MS;
    return { start, end: start + WINDOW_MS };
  }
}

function limitsOf({
  email,
  network,
  isKnownNetwork,
}: SignInAttempt): { readonly key: string; readonly most: number }[] {
  const ofNetwork = { key: `network:${network}`, most: OF_NETWORK };
  if (email === undefined) return [ofNetwork];
  const account = createHash('sha256').update(email).digest('base64url');
  return [
    { key: `pair:${account}:${network}`, most: OF_ACCOUNT_AND_NETWORK },
    ofNetwork,
    ...(isKnownNetwork ? [] : [{ key: `account:${account}`, most: OF_ACCOUNT }]),
  ];
}
