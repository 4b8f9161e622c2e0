import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type Caller, Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { SecretBox } from '#libs/secrets';
import { requiresTotp } from './required-factor.js';
import { AccountPasswords } from './account-passwords.js';
import { newRecoveryCodes, newTotpSecret, periodOf, recoveryHash, totpOf } from './totp.js';
import { SEALED_TOTP, TOTP_FIELDS, User } from './user.schema.js';
import { UserSessionsService } from './user-sessions.service.js';
import { CodeNeeded, CodeWrong, TotpAlreadyOn, TotpCodeWrong, TotpNotBegun, TotpRequired } from './users.errors.js';
import type { DisableTotpDto } from './users.dto.js';
import type { RecoveryCodesResponse, TotpSecretResponse } from './users.response.js';

/** Codes of authenticator apps (TOTP), and those for the day on which the device is lost. */
@Injectable()
export class SecondFactors {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly secrets: SecretBox,
    private readonly passwords: AccountPasswords,
    private readonly sessions: UserSessionsService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** A code works once, also for two who send it at the same time. @throws {CodeNeeded} @throws {CodeWrong} */
  async assertCode(user: User, code: string | undefined): Promise<void> {
    if (user.totpConfirmedAt === undefined) return;
    if (code === undefined) throw new CodeNeeded();
    if (!(await this.takeCode(user, code)) && !(await this.takeRecoveryCode(user, code))) throw new CodeWrong();
  }

  /** Asks for nothing until it is confirmed. */
  async begin(caller: Caller, password: string, ip: string): Promise<TotpSecretResponse> {
    const { _id, email } = await this.passwords.prove(caller, password, ip);
    const secret = newTotpSecret();
    const { matchedCount } = await this.users.updateOne(
      { _id, totpConfirmedAt: { $exists: false } },
      { $set: { sealedTotp: this.secrets.seal(secret, SEALED_TOTP.of(_id, '')), totpPeriod: 0 } },
    );
    if (matchedCount === 0) throw new TotpAlreadyOn();
    return { secret, uri: totpOf(secret, email).toString() };
  }

  /** From now on, signing in needs codes; other sessions, which had none, end. */
  async confirm(caller: Caller, code: string, ip: string): Promise<RecoveryCodesResponse> {
    const user = await this.passwords.userOf(caller);
    if (user.totpConfirmedAt !== undefined) throw new TotpAlreadyOn();
    if (user.sealedTotp === undefined) throw new TotpNotBegun();
    await this.passwords.count(user, ip, async () => {
      if (!(await this.takeCode(user, code))) throw new TotpCodeWrong();
    });
    const recoveryCodes = newRecoveryCodes();
    const confirmed = await this.sessions.changeCredentials(
      { _id: user._id, sealedTotp: user.sealedTotp, totpConfirmedAt: { $exists: false } },
      { $set: { totpConfirmedAt: this.clock.now(), recoveryHashes: recoveryCodes.map(recoveryHash) } },
      caller.person?.sessionId,
    );
    if (confirmed === undefined) throw new TotpAlreadyOn();
    return { recoveryCodes };
  }

  /** An open session and the password are not enough, and other sessions, which may be somebody else's, end. */
  async disable(caller: Caller, { password, code }: DisableTotpDto, ip: string): Promise<void> {
    const user = await this.passwords.prove(caller, password, ip);
    if (requiresTotp(this.config.get('REQUIRE_TOTP'), user)) throw new TotpRequired();
    await this.passwords.count(user, ip, async () => {
      if (user.totpConfirmedAt === undefined) return;
      if (!(await this.takeCode(user, code)) && !(await this.takeRecoveryCode(user, code))) throw new TotpCodeWrong();
    });
    await this.sessions.changeCredentials({ _id: user._id }, { $unset: TOTP_FIELDS }, caller.person?.sessionId);
  }

  private async takeCode({ _id, email, sealedTotp = '' }: User, code: string): Promise<boolean> {
    // Unreadable after the loss of the encryption key: recovery codes still work.
    const secret = this.secrets.tryOpen(sealedTotp, SEALED_TOTP.of(_id, ''));
    const period = secret === undefined ? undefined : periodOf(totpOf(secret, email), code, this.clock.now());
    if (period === undefined) return false;
    const { matchedCount } = await this.users.updateOne(
      { _id, totpPeriod: { $lt: period } },
      { $set: { totpPeriod: period } },
    );
    return matchedCount === 1;
  }

  private async takeRecoveryCode({ _id }: User, code: string): Promise<boolean> {
    const hash = recoveryHash(code);
    const { matchedCount } = await this.users.updateOne(
      { _id, recoveryHashes: hash },
      { $pull: { recoveryHashes: hash } },
    );
    return matchedCount === 1;
  }
}
