import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Authority } from './authority.js';
import { OneTimeLinks } from './one-time-links.js';
import { assertGoodPassword, Passwords } from './passwords.js';
import { SignInsService } from './sign-ins.service.js';
import { User, type UserInvitation } from './user.schema.js';
import type { AcceptInvitationDto } from './users.dto.js';
import { InvitationInvalid } from './users.errors.js';
import { type OpenedSession, type Origin, UserSessionsService } from './user-sessions.service.js';

/** New passwords by links. */
@Injectable()
export class Recoveries {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly authority: Authority,
    private readonly links: OneTimeLinks,
    private readonly passwords: Passwords,
    private readonly signIns: SignInsService,
    private readonly sessions: UserSessionsService,
  ) {}

  /** @throws {InvitationInvalid} also if somebody changed who may do what, or the password, meanwhile */
  async recover(
    link: UserInvitation,
    { password, token, code }: AcceptInvitationDto,
    from: Origin,
  ): Promise<OpenedSession> {
    const user = await this.users.findById(link._recoveredUserId).lean().exec();
    if (user === null) throw new InvitationInvalid();
    assertGoodPassword(password, user.email);
    await this.signIns.proveCode(user, code, from);
    const passwordHash = await this.passwords.hash(password);
    await this.links.use(token);
    const changed = await this.sessions.changeCredentials(asWhenMade(link), { $set: { passwordHash } });
    if (changed === undefined) throw new InvitationInvalid();
    if (!(await this.authority.stands(link, changed.memberships))) {
      await this.takeBack(changed, user);
      throw new InvitationInvalid();
    }
    return this.signIns.open(changed, 'invitation', from);
  }

  /** Whoever made the link lost the right to at the same moment. */
  private async takeBack({ _id, credentialsVersion }: User, { passwordHash }: User): Promise<void> {
    const before = passwordHash === undefined ? { $unset: { passwordHash: 1 } } : { $set: { passwordHash } };
    await this.sessions.changeCredentials({ _id, credentialsVersion }, before);
  }
}

/** The person, if they sign in with the same things and have roles in no further environment. */
function asWhenMade({ _recoveredUserId, credentialsVersion = 0, memberships }: UserInvitation): object {
  const within = memberships.map(({ _environmentId }) => _environmentId);
  return {
    _id: _recoveredUserId,
    credentialsVersion: { $not: { $gt: credentialsVersion } },
    memberships: { $not: { $elemMatch: { _environmentId: { $nin: within } } } },
  };
}
