import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { Clock } from '#libs/common';
import { OLDEST_FIRST } from '#libs/persistence';
import { type Membership, UserInvitation } from './user.schema.js';
import { InvitationInvalid } from './users.errors.js';

const DAY_MS = 86_400_000;
const INVITATION_MS = 7 * DAY_MS;
/** Whoever has it becomes owner, or somebody else. */
const POWERFUL_MS = DAY_MS;
const MAX_LISTED = 500;

export interface MadeToken {
  readonly token: string;
  readonly row: UserInvitation;
}

interface LinkDraft {
  readonly memberships: readonly Membership[];
  readonly invitedBy: string;
  readonly email?: string;
  readonly _recoveredUserId?: Types.ObjectId;
}

/** Links that work once. Only their hashes are stored. */
@Injectable()
export class OneTimeLinks {
  constructor(
    @InjectModel(UserInvitation.name) private readonly links: Model<UserInvitation>,
    private readonly clock: Clock,
  ) {}

  async make(draft: LinkDraft): Promise<MadeToken> {
    const token = randomBytes(32).toString('base64url');
    const isPowerful = draft.email === undefined || draft._recoveredUserId !== undefined;
    const expiresAt = new Date(this.clock.now().getTime() + (isPowerful ? POWERFUL_MS : INVITATION_MS));
    const row = await this.links.create({
      ...draft,
      memberships: [...draft.memberships],
      hash: hashOf(token),
      expiresAt,
    });
    return { token, row: row.toObject() };
  }

  /** @throws {InvitationInvalid} */
  async find(token: string): Promise<UserInvitation> {
    const row = await this.links.findOne(this.usable(token)).lean().exec();
    if (row === null) throw new InvitationInvalid();
    return row;
  }

  /** Only one of several that use a link at the same time goes on. @throws {InvitationInvalid} */
  async use(token: string): Promise<void> {
    const { deletedCount } = await this.links.deleteOne(this.usable(token));
    if (deletedCount === 0) throw new InvitationInvalid();
  }

  /** The open invitations of an environment, newest first. */
  listIn(environmentId: string): Promise<UserInvitation[]> {
    return this.links.find(this.openIn(environmentId)).sort({ createdAt: -1, _id: -1 }).limit(MAX_LISTED).lean().exec();
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

  /** Uses all open invitations of an address up. @returns the roles that they give */
  async takeAllOf(email: string): Promise<Membership[]> {
    const open = { email, expiresAt: { $gt: this.clock.now() }, _recoveredUserId: { $exists: false } };
    const taken: Membership[] = [];
    for (const { _id, memberships } of await this.links.find(open).sort(OLDEST_FIRST).limit(MAX_LISTED).lean().exec()) {
      // Not what somebody else used, or withdrew, meanwhile.
      const { deletedCount } = await this.links.deleteOne({ _id, ...open });
      if (deletedCount === 1) taken.push(...memberships);
    }
    return taken;
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

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
