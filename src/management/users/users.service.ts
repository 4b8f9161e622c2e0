import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { Caller, TenantContext } from '#libs/common';
import { OLDEST_FIRST } from '#libs/persistence';
import { assertRules, Authority, excessIn } from './authority.js';
import { linkOf } from './invitations.service.js';
import { InviterNames } from './inviter-names.js';
import { LinkMails } from './link-mails.js';
import { issuerOf, OneTimeLinks } from './one-time-links.js';
import { type Role, ROLES } from './roles.js';
import { TOTP_FIELDS, User } from './user.schema.js';
import { UserSessionsService } from './user-sessions.service.js';
import { OwnRole, RightsExceeded, UserNotFound } from './users.errors.js';
import {
  type LinkResponse,
  showLink,
  showUser,
  showUserSession,
  type UserResponse,
  type UserSessionResponse,
} from './users.response.js';

const MAX_LISTED = 1_000;

/** The people of an environment, for those who manage them. */
@Injectable()
export class UsersService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly sessions: UserSessionsService,
    private readonly links: OneTimeLinks,
    private readonly mails: LinkMails,
    private readonly people: InviterNames,
    private readonly authority: Authority,
  ) {}

  async list(caller: Caller): Promise<UserResponse[]> {
    const filter = { 'memberships._environmentId': new Types.ObjectId(caller.environmentId) };
    const rows = await this.users.find(filter).sort(OLDEST_FIRST).limit(MAX_LISTED).lean().exec();
    return rows.map((row) => showUser(row, caller.environmentId, caller.person?.userId));
  }

  /** In the environment of the request. @throws {UserNotFound} @throws {OwnRole} @throws {RightsExceeded} */
  async changeRole(caller: Caller, id: string, role: Role): Promise<UserResponse> {
    refuseSelf(caller, id);
    const _environmentId = new Types.ObjectId(caller.environmentId);
    const excess = excessIn([{ role }], await this.authority.of(caller));
    // Who cannot give a role can still take more than that away.
    const before = excess === undefined ? ROLES : ROLES.slice(ROLES.indexOf(role));
    const row = await this.users
      .findOneAndUpdate(
        { _id: id, memberships: { $elemMatch: { _environmentId, role: { $in: before } } } },
        { $set: { 'memberships.$.role': role, 'memberships.$.issuedBy': caller.apiKeyId } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    this.sessions.forget();
    if (row === null) {
      await this.find(caller, id);
      throw excess === undefined ? new UserNotFound(id) : new RightsExceeded(excess);
    }
    if (role !== 'owner') await this.links.withdrawAllBy(id, caller.environmentId);
    return showUser(row, caller.environmentId);
  }

  /** From the environment of the request; of who is in none any more, nothing is left. */
  async remove(caller: Caller, id: string): Promise<void> {
    refuseSelf(caller, id);
    const _environmentId = new Types.ObjectId(caller.environmentId);
    const before = await this.users
      .findOneAndUpdate(
        { _id: id, 'memberships._environmentId': _environmentId },
        { $pull: { memberships: { _environmentId } } },
      )
      .lean()
      .exec();
    await this.sessions.endAccountWithoutRole(id);
    this.sessions.forget();
    if (before === null) throw new UserNotFound(id);
    await this.links.withdrawAllBy(id, caller.environmentId);
    await this.links.withdrawRecoveriesOf(before);
  }

  async listSessions(caller: Caller, id: string): Promise<UserSessionResponse[]> {
    const user = await this.ruledUser(caller, id);
    return (await this.sessions.list(user._id.toHexString())).map((row) =>
      showUserSession(row, caller.person?.sessionId),
    );
  }

  async endSessions(caller: Caller, id: string): Promise<void> {
    const user = await this.ruledUser(caller, id);
    await this.sessions.endAll(user._id);
  }

  /** For somebody whose device is lost. */
  async resetTotp(caller: Caller, id: string): Promise<void> {
    const { _id, memberships } = await this.ruledUser(caller, id);
    await this.authority.assertGives(caller, memberships);
    await this.sessions.changeCredentials({ _id }, { $unset: TOTP_FIELDS });
  }

  /** A link that sets a new password: only for those who could give all that it opens. */
  async recover(caller: Caller, id: string, base: string): Promise<LinkResponse> {
    const { _id, email, memberships, credentialsVersion = 0 } = await this.ruledUser(caller, id);
    await this.authority.assertGives(caller, memberships);
    const invitedBy = await this.people.of(caller);
    const recovered = { _recoveredUserId: _id, credentialsVersion };
    const { token, row } = await this.links.make({ email, memberships, invitedBy, ...issuerOf(caller), ...recovered });
    const url = linkOf(base, token);
    const sent = await this.mails.send(memberships, {
      id: row._id.toHexString(),
      to: email,
      subject: 'Choose a new password for Herald',
      text: `${invitedBy} made a link with which you can choose a new password. It works once, within a day:`,
      url,
    });
    return showLink({ url, expiresAt: row.expiresAt, ...sent });
  }

  /** @throws {UserNotFound} @throws {NotYourEnvironment} */
  private async ruledUser(caller: Caller, id: string): Promise<User> {
    const user = await this.find(caller, id);
    assertRules(await this.authority.of(caller), user.memberships);
    return user;
  }

  private async find({ environmentId }: TenantContext, id: string): Promise<User> {
    const filter = { _id: id, 'memberships._environmentId': new Types.ObjectId(environmentId) };
    const user = await this.users.findOne(filter).lean().exec();
    if (user === null) throw new UserNotFound(id);
    return user;
  }
}

function refuseSelf({ person }: Caller, id: string): void {
  if (person?.userId === id) throw new OwnRole();
}
