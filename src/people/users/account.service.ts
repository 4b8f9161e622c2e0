import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Caller } from '#libs/common';
import { AppConfig } from '#libs/config';
import { shown } from '#libs/http-kit';
import { EnvironmentsService } from '../../platform/environments/index.js';
import { AccountPasswords, personOf } from './account-passwords.js';
import { assertGoodPassword, Passwords } from './passwords.js';
import { csrfTokenOf } from './session-cookie.js';
import { User } from './user.schema.js';
import { lacksTotp, requiresTotp } from './required-factor.js';
import { type OpenedSession, UserSessionsService } from './user-sessions.service.js';
import type { ChangePasswordDto } from './users.dto.js';
import { PersonNeeded } from './users.errors.js';
import {
  type SignedInResponse,
  showSignedIn,
  showUserSession,
  SignInOptionsResponse,
  type UserSessionResponse,
} from './users.response.js';

/** What people do with their own account. */
@Injectable()
export class AccountService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly sessions: UserSessionsService,
    private readonly passwords: Passwords,
    private readonly proofs: AccountPasswords,
    private readonly environments: EnvironmentsService,
    private readonly config: AppConfig,
  ) {}

  async options(token: string | undefined): Promise<SignInOptionsResponse> {
    const [hasUsers, known] = await Promise.all([
      // By the index of emails, because all have one.
      this.users.exists({ email: { $gt: '' } }),
      token === undefined ? undefined : this.sessions.find(token, false),
    ]);
    return shown(SignInOptionsResponse, {
      hasUsers: hasUsers !== null,
      isSignedIn: known !== undefined,
      takesPasswords: this.config.get('PASSWORD_SIGN_IN') === 'on',
      ...(this.config.get('OIDC_ISSUER') !== undefined && { provider: this.config.get('OIDC_NAME') }),
    });
  }

  async show({ user, session, token }: OpenedSession): Promise<SignedInResponse> {
    const names = await this.environments.namesByIds(user.memberships.map(({ _environmentId }) => _environmentId));
    const environments = user.memberships.map(({ _environmentId, role }) => {
      const _id = _environmentId.toHexString();
      return { _id, name: names.get(_id) ?? _id, role };
    });
    const demand = this.config.get('REQUIRE_TOTP');
    return showSignedIn({
      user,
      requiresTotp: requiresTotp(demand, user),
      needsTotp: lacksTotp(demand, user, session),
      expiresAt: session.expiresAt,
      csrfToken: csrfTokenOf(token),
      environments,
    });
  }

  /** @param token of the session, from the cookie @throws {PersonNeeded} */
  async current(caller: Caller, token: string | undefined): Promise<SignedInResponse> {
    personOf(caller);
    const known = token === undefined ? undefined : await this.sessions.find(token);
    if (token === undefined || known === undefined) throw new PersonNeeded();
    return this.show({ ...known, token });
  }

  async rename(caller: Caller, name: string): Promise<void> {
    const { userId } = personOf(caller);
    await this.users.updateOne({ _id: userId }, { $set: { name: name.trim() } });
    this.sessions.forget();
  }

  /** Ends all other sessions. @throws {PasswordWrong} @throws {PasswordTooWeak} @throws {TooManySignIns} */
  async changePassword(caller: Caller, dto: ChangePasswordDto, ip: string): Promise<void> {
    const { userId, sessionId, email } = personOf(caller);
    await this.proofs.prove(caller, dto.currentPassword, ip);
    assertGoodPassword(dto.newPassword, email);
    const passwordHash = await this.passwords.hash(dto.newPassword);
    await this.sessions.changeCredentials({ _id: userId }, { $set: { passwordHash } }, sessionId);
  }

  async listSessions(caller: Caller): Promise<UserSessionResponse[]> {
    const { userId, sessionId } = personOf(caller);
    return (await this.sessions.list(userId)).map((row) => showUserSession(row, sessionId));
  }

  async endSession(caller: Caller, id: string): Promise<void> {
    await this.sessions.end(personOf(caller).userId, id);
  }

  async endOtherSessions(caller: Caller): Promise<void> {
    const { userId, sessionId } = personOf(caller);
    await this.sessions.endAll(userId, sessionId);
  }

  async signOut(caller: Caller): Promise<void> {
    const { userId, sessionId } = personOf(caller);
    await this.sessions.end(userId, sessionId);
  }
}
