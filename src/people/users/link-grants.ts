import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Authority } from './authority.js';
import { type Membership, User, type UserInvitation } from './user.schema.js';
import { UserSessionsService } from './user-sessions.service.js';

interface Given {
  readonly link: UserInvitation;
  readonly membership: Membership;
}

/**
 * Gives people the roles of links. Whoever made a link may lose the right to at the same moment, so it is looked at again when
 * the roles are stored: either the loss came later, or they are taken back.
 */
@Injectable()
export class LinkGrants {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly authority: Authority,
    private readonly sessions: UserSessionsService,
  ) {}

  /** A role that somebody has in an environment stays as it is. @returns whether all links still stand */
  async give(id: Types.ObjectId, links: readonly UserInvitation[]): Promise<boolean> {
    const given: Given[] = [];
    for (const one of rolesOf(links)) {
      const { matchedCount } = await this.users.updateOne(
        { _id: id, 'memberships._environmentId': { $ne: one.membership._environmentId } },
        { $push: { memberships: { $each: [one.membership], $sort: { _environmentId: 1 } } } },
      );
      if (matchedCount === 1) given.push(one);
    }
    return this.confirm(id, given);
  }

  /** After an account was made with the roles of links. @returns whether all of them still stand */
  confirmNew({ _id }: User, links: readonly UserInvitation[]): Promise<boolean> {
    return this.confirm(_id, rolesOf(links));
  }

  private async confirm(id: Types.ObjectId, given: readonly Given[]): Promise<boolean> {
    if (given.length === 0) return true;
    const links = [...new Set(given.map(({ link }) => link))];
    const stand = await Promise.all(links.map((link) => this.authority.stands(link)));
    const ended = new Set(links.filter((_link, at) => stand[at] !== true));
    const places = given.filter(({ link }) => ended.has(link)).map(({ membership }) => membership._environmentId);
    if (places.length > 0) {
      await this.users.updateOne({ _id: id }, { $pull: { memberships: { _environmentId: { $in: places } } } });
      await this.sessions.endAccountWithoutRole(id);
    }
    this.sessions.forget();
    return ended.size === 0;
  }
}

/** Of each environment the first. */
export function membershipsOf(links: readonly UserInvitation[]): Membership[] {
  return rolesOf(links).map(({ membership }) => membership);
}

function rolesOf(links: readonly UserInvitation[]): Given[] {
  const all = links.flatMap((link) => link.memberships.map((membership) => ({ link, membership })));
  const known = new Set<string>();
  return all.filter(({ membership }) => {
    const id = membership._environmentId.toHexString();
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
}
