import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { onDuplicateKey } from '#libs/persistence';
import { LinkGrants } from './link-grants.js';
import { OneTimeLinks } from './one-time-links.js';
import { Recoveries } from './recoveries.js';
import { assertGoodPassword, Passwords } from './passwords.js';
import { SignInsService } from './sign-ins.service.js';
import { User, type UserInvitation } from './user.schema.js';
import type { AcceptInvitationDto } from './users.dto.js';
import { EmailNeeded, EmailTaken, InvitationInvalid } from './users.errors.js';
import { type OpenedLinkResponse, showOpenedLink } from './users.response.js';
import type { OpenedSession, Origin } from './user-sessions.service.js';

/** What the holder of a link does with it. */
@Injectable()
export class JoiningService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly links: OneTimeLinks,
    private readonly grants: LinkGrants,
    private readonly recoveries: Recoveries,
    private readonly passwords: Passwords,
    private readonly signIns: SignInsService,
  ) {}

  /** @throws {InvitationInvalid} */
  async look(token: string): Promise<OpenedLinkResponse> {
    const row = await this.links.find(token);
    return showOpenedLink(row, await this.userOf(row, row.email));
  }

  /** Joins, or sets a new password, and signs in. */
  async accept(dto: AcceptInvitationDto, from: Origin): Promise<OpenedSession> {
    this.passwords.assertOn();
    const link = await this.links.find(dto.token);
    if (link._recoveredUserId !== undefined) return this.recoveries.recover(link, dto, from);
    const email = link.email ?? dto.email ?? undefined;
    if (email === undefined) throw new EmailNeeded();
    const user = await this.userOf(link, email);
    if (user === null) return this.join(link, email, dto, from);
    if (link.email === undefined) throw new EmailTaken();
    return this.add(link, user, dto, from);
  }

  private async join(
    link: UserInvitation,
    email: string,
    dto: AcceptInvitationDto,
    from: Origin,
  ): Promise<OpenedSession> {
    assertGoodPassword(dto.password, email);
    const passwordHash = await this.passwords.hash(dto.password);
    await this.links.use(dto.token);
    const name = dto.name?.trim() || (email.split('@')[0] ?? email);
    const { memberships } = link;
    const user = await this.users.create({ email, name, memberships, passwordHash, networks: [] }).catch(
      onDuplicateKey((): never => {
        throw new EmailTaken();
      }),
    );
    if (!(await this.grants.confirmNew(user, [link]))) throw new InvitationInvalid();
    return this.signIns.open(user.toObject(), 'invitation', from);
  }

  /** Whoever sent the invitation has the link as well: only the password shows who accepts it. */
  private async add(
    link: UserInvitation,
    { email }: User,
    { password, token, code }: AcceptInvitationDto,
    from: Origin,
  ): Promise<OpenedSession> {
    const user = await this.signIns.prove({ email, password, ...(code !== undefined && { code }) }, from);
    await this.links.use(token);
    if (!(await this.grants.give(user._id, [link]))) throw new InvitationInvalid();
    const { memberships } = await mustFind(this.users, user._id);
    return this.signIns.open({ ...user, memberships }, 'invitation', from);
  }

  private userOf({ _recoveredUserId }: UserInvitation, email: string | undefined): Promise<User | null> {
    if (_recoveredUserId !== undefined) return this.users.findById(_recoveredUserId).lean().exec();
    return email === undefined ? Promise.resolve(null) : this.users.findOne({ email }).lean().exec();
  }
}

async function mustFind(users: Model<User>, id: Types.ObjectId): Promise<User> {
  const user = await users.findById(id).lean().exec();
  if (user === null) throw new InvitationInvalid();
  return user;
}
