import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '#libs/common';
import { networkOf } from '#libs/http-kit';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factors.js';
import { type SignInAttempt, SignInLimits } from './sign-in-limits.js';
import { type SignInMethod, User } from './user.schema.js';
import { type OpenedSession, type Origin, UserSessionsService } from './user-sessions.service.js';
import { SignInFailed } from './users.errors.js';

const KEPT_NETWORKS = 20;
const ABSENT = { $exists: false };

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string | null;
}

@Injectable()
export class SignInsService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly factors: SecondFactors,
    private readonly sessions: UserSessionsService,
    private readonly clock: Clock,
  ) {}

  /** @throws {PasswordsOff} @throws {SignInFailed} @throws {TooManySignIns} @throws {SignInBusy} */
  async signIn(credentials: Credentials, from: Origin): Promise<OpenedSession> {
    this.passwords.assertOn();
    return this.open(await this.prove(credentials, from), 'password', from);
  }

  /** Who it is; does the same for an address that is nobody's. */
  async prove({ email, password, code }: Credentials, from: Origin): Promise<User> {
    const user = await this.users.findOne({ email }).lean().exec();
    const network = networkOf(from.ip);
    const attempt: SignInAttempt = { email, network, isKnownNetwork: user?.networks.includes(network) === true };
    await this.limits.admit(attempt);
    const isRight = await this.passwords.matches(password, user?.passwordHash);
    if (user === null || !isRight) throw new SignInFailed();
    await this.checkCode(user, code, attempt);
    await this.renewHash(user, password);
    return user;
  }

  /** For somebody who does not need the password. */
  async proveCode(user: User, code: string | null | undefined, from: Origin): Promise<void> {
    const network = networkOf(from.ip);
    const attempt = { email: user.email, network, isKnownNetwork: user.networks.includes(network) };
    await this.limits.admit(attempt);
    await this.checkCode(user, code, attempt);
  }

  /** A wrong code is a guess; that one is asked for is none. */
  private async checkCode(user: User, code: string | null | undefined, attempt: SignInAttempt): Promise<void> {
    const isGiven = code != null && code.trim() !== '';
    if (!isGiven) await this.limits.forgive(attempt);
    await this.factors.assertCode(user, isGiven ? code : undefined);
    if (isGiven) await this.limits.forgive(attempt);
  }

  /** After a change of the cost: hashes of another one would take another time. */
  private async renewHash({ _id, passwordHash = '' }: User, password: string): Promise<void> {
    if (!this.passwords.isOutdated(passwordHash)) return;
    const renewed = await this.passwords.hash(password);
    await this.users.updateOne({ _id, passwordHash }, { $set: { passwordHash: renewed } });
  }

  /** @param user as proved @throws {SignInFailed} */
  async open(user: User, method: SignInMethod, from: Origin): Promise<OpenedSession> {
    const opened = await this.tryOpen(user, method, from);
    if (opened === undefined) throw new SignInFailed();
    return opened;
  }

  /**
   * Looks again after the session is there: what the person showed may be worth nothing any more.
   * @param user as proved
   */
  async tryOpen(user: User, method: SignInMethod, from: Origin): Promise<OpenedSession | undefined> {
    const opened = await this.sessions.open(user, method, from);
    const network = networkOf(from.ip);
    const { credentialsVersion = ABSENT } = user;
    const { matchedCount } = await this.users.updateOne(
      { _id: user._id, credentialsVersion },
      {
        $set: { lastSignInAt: this.clock.now() },
        ...(!user.networks.includes(network) && { $push: { networks: { $each: [network], $slice: -KEPT_NETWORKS } } }),
      },
      { timestamps: false },
    );
    if (matchedCount === 1) return opened;
    await this.sessions.endByToken(opened.token);
    return undefined;
  }
}
