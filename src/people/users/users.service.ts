import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { Caller, TenantContext } from '#libs/common';
import { OLDEST_FIRST } from '#libs/persistence';
import { giveWhile } from '../../platform/auth/index.js';
import { assertRules, Authority } from './authority.js';
import { linkOf } from './invitations.service.js';
import { InviterNames } from './inviter-names.js';
import { LinkMails } from './link-mails.js';
import { issuerOf, OneTimeLinks } from './one-time-links.js';
import { type Role, ROLES } from './roles.js';
import { TOTP_FIELDS, User } from './user.schema.js';
import { UserSessionsService } from './user-sessions.service.js';
import { OwnRole, UserNotFound } from './users.errors.js';
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

  /** In the environment of the request. @throws {UserNotFound} @throws {OwnRole} @throws {NotYourEnvironment} @throws {RightsExceeded} */
  async changeRole(caller: Caller, id: string, role: Role): Promise<UserResponse> {
    refuseSelf(caller, id);
    const _environmentId = new Types.ObjectId(caller.environmentId);
    const place = ROLES.indexOf(role);
    const set = (before: readonly Role[]): Promise<User | null> => this.setRole(caller, id, role, before);
    // Who cannot give a role can still take more than that away.
    while ((await set(ROLES.slice(place))) === null) {
      await this.find(caller, id);
      const raised = await giveWhile(
        () => this.authority.assertGives(caller, [{ _environmentId, role }]),
        () => set(ROLES.slice(0, place)),
        (before) => this.takeRoleBack(caller, before, role),
      );
      // Unless somebody else has changed it in the meantime.
      if (raised !== null) break;
    }
    if (role !== 'owner') await this.links.withdrawAllBy(id, caller.environmentId);
    return showUser(await this.find(caller, id), caller.environmentId);
  }

  /** @returns the person as they were; null if their role was none of those */
  private async setRole(caller: Caller, id: string, role: Role, before: readonly Role[]): Promise<User | null> {
    const _environmentId = new Types.ObjectId(caller.environmentId);
    const row = await this.users
      .findOneAndUpdate(
        { _id: id, memberships: { $elemMatch: { _environmentId, role: { $in: before } } } },
        { $set: { 'memberships.$.role': role, 'memberships.$.issuedBy': caller.apiKeyId } },
        { returnDocument: 'before' },
      )
      .lean()
      .exec();
    this.sessions.forget();
    return row;
  }

  /** Unless somebody else has given it as well. */
  private async takeRoleBack({ environmentId, apiKeyId }: Caller, before: User | null, role: Role): Promise<void> {
    const former = before?.memberships.find(({ _environmentId }) => _environmentId.equals(environmentId));
    if (before === null || former === undefined) return;
    const { _environmentId, issuedBy } = former;
    await this.users.updateOne(
      { _id: before._id, memberships: { $elemMatch: { _environmentId, role, issuedBy: apiKeyId } } },
      {
        $set: { 'memberships.$.role': former.role, ...(issuedBy && { 'memberships.$.issuedBy': issuedBy }) },
        ...(!issuedBy && { $unset: { 'memberships.$.issuedBy': 1 } }),
      },
    );
    this.sessions.forget();
    await this.links.withdrawAllBy(before._id.toHexString(), environmentId);
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
    const user = await this.ruledUser(caller, id);
    const { _id, memberships } = user;
    const factor = Object.fromEntries(Object.entries(user).filter(([field]) => field in TOTP_FIELDS));
    await giveWhile(
      () => this.authority.assertGives(caller, memberships),
      () => this.sessions.changeCredentials({ _id }, { $unset: TOTP_FIELDS }),
      (changed) =>
        this.sessions.changeCredentials({ _id, credentialsVersion: changed?.credentialsVersion }, { $set: factor }),
    );
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
