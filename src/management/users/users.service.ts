import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { Caller, TenantContext } from '#libs/common';
import { OLDEST_FIRST, softDeleted } from '#libs/persistence';
import { assertRules, environmentsRuledBy } from './authority.js';
import { linkOf } from './invitations.service.js';
import { InviterNames } from './inviter-names.js';
import { LinkMails } from './link-mails.js';
import { OneTimeLinks } from './one-time-links.js';
import type { Role } from './roles.js';
import { SecondFactors } from './second-factors.js';
import { User } from './user.schema.js';
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
    private readonly factors: SecondFactors,
  ) {}

  async list(caller: Caller): Promise<UserResponse[]> {
    const filter = { 'memberships._environmentId': new Types.ObjectId(caller.environmentId) };
    const rows = await this.users.find(filter).sort(OLDEST_FIRST).limit(MAX_LISTED).lean().exec();
    return rows.map((row) => showUser(row, caller.environmentId, caller.person?.userId));
  }

  /** In the environment of the request. @throws {UserNotFound} @throws {OwnRole} */
  async changeRole(caller: Caller, id: string, role: Role): Promise<UserResponse> {
    refuseSelf(caller, id);
    const row = await this.users
      .findOneAndUpdate(
        { _id: id, 'memberships._environmentId': new Types.ObjectId(caller.environmentId) },
        { $set: { 'memberships.$.role': role } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    this.sessions.forget();
    if (row === null) throw new UserNotFound(id);
    return showUser(row, caller.environmentId);
  }

  /** From the environment of the request; who is in none any more is deleted. */
  async remove(caller: Caller, id: string): Promise<void> {
    refuseSelf(caller, id);
    const _environmentId = new Types.ObjectId(caller.environmentId);
    const { matchedCount } = await this.users.updateOne(
      { _id: id, 'memberships._environmentId': _environmentId },
      { $pull: { memberships: { _environmentId } } },
    );
    const gone = await this.users.updateOne(
      { _id: id, memberships: { $size: 0 } },
      softDeleted(caller.apiKeyId, new Date()),
    );
    if (gone.matchedCount > 0) await this.sessions.endAll(id);
    this.sessions.forget();
    if (matchedCount === 0) throw new UserNotFound(id);
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

  async resetTotp(caller: Caller, id: string): Promise<void> {
    await this.factors.reset(await this.ruledUser(caller, id));
  }

  /** A link that sets a new password: only for those who rule all that it opens. */
  async recover(caller: Caller, id: string, base: string): Promise<LinkResponse> {
    const user = await this.ruledUser(caller, id);
    const invitedBy = await this.people.of(caller);
    const draft = { email: user.email, memberships: [], invitedBy, _recoveredUserId: user._id };
    const { token, row } = await this.links.make(draft);
    const url = linkOf(base, token);
    const sent = await this.mails.send(user.memberships, {
      id: row._id.toHexString(),
      to: user.email,
      subject: 'Choose a new password for Herald',
      text: `${invitedBy} made a link with which you can choose a new password. It works once, within a day:`,
      url,
    });
    return showLink({ url, expiresAt: row.expiresAt, ...sent });
  }

  /** @throws {UserNotFound} @throws {NotYourEnvironment} */
  private async ruledUser(caller: Caller, id: string): Promise<User> {
    const user = await this.find(caller, id);
    const self = caller.person === undefined ? null : await this.users.findById(caller.person.userId).lean().exec();
    assertRules(environmentsRuledBy(caller, self), user.memberships);
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
