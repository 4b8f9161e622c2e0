import type { mongo } from 'mongoose';
import { derivedObjectId } from '#libs/persistence';
import { isObject } from '#libs/validation';
import { linkOf, newLink, type Role } from '../../../../src/people/users/index.js';
import { LeftOut, type Row, textOf } from './novu-records.js';
import { allRows, type NovuSource } from './sources/novu-source.js';

/** Roles of all versions of Novu. */
const ROLES: Readonly<Record<string, Role>> = {
  admin: 'owner',
  'org:owner': 'owner',
  'org:admin': 'owner',
  'org:author': 'editor',
  member: 'editor',
  'org:viewer': 'viewer',
  viewer: 'viewer',
};

export interface Invitation {
  readonly record: Row;
  readonly link: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * People of an organization become invitations, each for all of its environments: passwords of Novu are not taken over, and nobody signs in
 * whose address is not theirs. The links are made anew at each run, as only their hashes are stored.
 */
export class NovuPeople {
  private readonly environments = new Map<string, Row[]>();
  private readonly users = new Map<string, Row>();

  constructor(
    private readonly source: NovuSource,
    private readonly base: string,
    private readonly now: Date,
  ) {}

  async load(): Promise<Row[]> {
    for (const row of await allRows(this.source, 'environments')) {
      const owner = String(row['_organizationId']);
      this.environments.set(owner, [...(this.environments.get(owner) ?? []), row]);
    }
    for (const row of await allRows(this.source, 'users')) this.users.set(row._id.toHexString(), row);
    return allRows(this.source, 'members');
  }

  emailOf(member: Row): string | undefined {
    const user = this.users.get(String(member['_userId']));
    const { invite } = member as { invite?: unknown };
    return (textOf(user?.['email']) ?? (isObject(invite) ? textOf(invite['email']) : undefined))?.trim().toLowerCase();
  }

  /** @param joined environments of which the person is a member already @throws {LeftOut} */
  invitation(member: Row, joined: ReadonlySet<string>): Invitation {
    const email = this.emailOf(member);
    if (email === undefined) throw new LeftOut('it has no email address; invite the person in the console');
    const [name] = Array.isArray(member['roles']) ? (member['roles'] as unknown[]) : [];
    const role = ROLES[String(name)] ?? 'viewer';
    const memberships = (this.environments.get(String(member['_organizationId'])) ?? [])
      .filter(({ _id }) => !joined.has(_id.toHexString()))
      .map(({ _id, _organizationId }) => ({
        _organizationId: _organizationId as mongo.ObjectId,
        _environmentId: _id,
        role,
      }));
    if (memberships.length === 0) throw new LeftOut('the person has joined already');
    const draft = { email, memberships, invitedBy: 'the import of Novu', issuer: 'operator' } as const;
    const { token, fields } = newLink(draft, this.now);
    const times = { createdAt: this.now, updatedAt: this.now, deleted: false, __v: 0 };
    return {
      record: { _id: derivedObjectId(member._id, 'invitation', email), ...fields, ...times },
      link: linkOf(this.base, token),
      email,
      role,
    };
  }
}
