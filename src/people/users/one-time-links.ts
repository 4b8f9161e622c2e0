import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Caller, Clock, FailPoint } from '#libs/common';
import { type BaseRecord, OLDEST_FIRST } from '#libs/persistence';
import { Authority } from './authority.js';
import { type LinkIssuer, type Membership, User, UserInvitation } from './user.schema.js';
import { InvitationInvalid } from './users.errors.js';

const DAY_MS = 86_400_000;
const INVITATION_MS = 7 * DAY_MS;
/** Whoever has it becomes owner, or somebody else. */
const POWERFUL_MS = DAY_MS;
const MAX_LISTED = 500;
/** Reached when links are used up, and nothing of them is given yet. */
export const LINK_USED = new FailPoint('link.used');

export interface MadeToken {
  readonly token: string;
  readonly row: UserInvitation;
}

/** Who makes a link. */
interface Issued {
  readonly issuer: LinkIssuer;
  readonly issuedBy?: string;
}

export interface LinkDraft extends Issued {
  readonly memberships: readonly Membership[];
  readonly invitedBy: string;
  readonly email?: string;
  readonly _recoveredUserId?: Types.ObjectId;
  readonly credentialsVersion?: number;
}

/** Links that work once, and only while whoever made them could make them again. Only their hashes are stored. */
@Injectable()
export class OneTimeLinks {
  constructor(
    @InjectModel(UserInvitation.name) private readonly links: Model<UserInvitation>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly authority: Authority,
    private readonly clock: Clock,
  ) {}

  async make(draft: LinkDraft): Promise<MadeToken> {
    const { token, fields } = newLink(draft, this.clock.now());
    const row = await this.links.create(fields);
    return { token, row: row.toObject() };
  }

  /** @throws {InvitationInvalid} */
  async find(token: string): Promise<UserInvitation> {
    const row = await this.links.findOne(this.usable(token)).lean().exec();
    if (row === null || !(await this.isOpen(row))) throw new InvitationInvalid();
    return row;
  }

  /** Only one of several that use a link at the same time goes on. @throws {InvitationInvalid} */
  async use(token: string): Promise<void> {
    const { deletedCount } = await this.links.deleteOne(this.usable(token));
    if (deletedCount === 0) throw new InvitationInvalid();
    await LINK_USED.pass();
  }

  /** The open invitations of an environment, newest first. */
  async listIn(environmentId: string): Promise<UserInvitation[]> {
    const newest = this.links.find(this.openIn(environmentId)).sort({ createdAt: -1, _id: -1 }).limit(MAX_LISTED);
    return this.openOf(await newest.lean().exec());
  }

  findIn(environmentId: string, id: string): Promise<UserInvitation | null> {
    return this.links
      .findOne({ ...this.openIn(environmentId), _id: id })
      .lean()
      .exec();
  }

  async withdraw({ _id }: UserInvitation): Promise<void> {
    await this.links.deleteOne({ _id });
  }

  /** What somebody who is no owner of an environment any more has invited to it. The check at the use of a link does not need it. */
  async withdrawAllBy(issuedBy: string, environmentId: string): Promise<void> {
    await this.links.deleteMany({ 'memberships._environmentId': new Types.ObjectId(environmentId), issuedBy });
  }

  async withdrawRecoveriesOf({ _id, email }: User): Promise<void> {
    await this.links.deleteMany({ email, _recoveredUserId: _id });
  }

  /** Uses all open invitations of an address up. */
  async takeAllOf(email: string): Promise<UserInvitation[]> {
    const open = { email, expiresAt: { $gt: this.clock.now() }, _recoveredUserId: { $exists: false } };
    const taken: UserInvitation[] = [];
    const found = await this.links.find(open).sort(OLDEST_FIRST).limit(MAX_LISTED).lean().exec();
    for (const link of await this.openOf(found)) {
      // Not what somebody else used, or withdrew, meanwhile.
      const { deletedCount } = await this.links.deleteOne({ _id: link._id, ...open });
      if (deletedCount === 1) taken.push(link);
    }
    if (taken.length > 0) await LINK_USED.pass();
    return taken;
  }

  private async openOf(links: readonly UserInvitation[]): Promise<UserInvitation[]> {
    const areOpen = await Promise.all(links.map((link) => this.isOpen(link)));
    return links.filter((_link, at) => areOpen[at]);
  }

  private async isOpen(link: UserInvitation): Promise<boolean> {
    const { _recoveredUserId, credentialsVersion = 0 } = link;
    if (_recoveredUserId === undefined) return this.authority.stands(link);
    const user = await this.users.findById(_recoveredUserId).lean().exec();
    if (user === null || (user.credentialsVersion ?? 0) > credentialsVersion) return false;
    return this.authority.stands(link, user.memberships);
  }

  private openIn(environmentId: string): object {
    return {
      'memberships._environmentId': new Types.ObjectId(environmentId),
      expiresAt: { $gt: this.clock.now() },
      _recoveredUserId: { $exists: false },
    };
  }

  private usable(token: string): { hash: string; expiresAt: { $gt: Date } } {
    return { hash: hashOf(token), expiresAt: { $gt: this.clock.now() } };
  }
}

type LinkFields = Omit<UserInvitation, keyof BaseRecord>;

/** What is stored of a new link, and its token, which is not. */
export function newLink(draft: LinkDraft, now: Date): { readonly token: string; readonly fields: LinkFields } {
  const token = randomBytes(32).toString('base64url');
  const isPowerful = draft.email === undefined || draft._recoveredUserId !== undefined;
  const expiresAt = new Date(now.getTime() + (isPowerful ? POWERFUL_MS : INVITATION_MS));
  return { token, fields: { ...draft, memberships: [...draft.memberships], hash: hashOf(token), expiresAt } };
}

export function issuerOf({ person, apiKeyId }: Caller): Issued {
  return { issuer: person === undefined ? 'api_key' : 'person', issuedBy: apiKeyId };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
