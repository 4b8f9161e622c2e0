import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type Caller, Clock, KEY_SCOPES, type KeyRights } from '#libs/common';
import { ApiKeysService, CallerRights, excessOf, isExpired, rightsOf } from '../../platform/auth/index.js';
import { scopesOf } from './roles.js';
import { type Membership, User, type UserInvitation } from './user.schema.js';
import { NotYourEnvironment, RightsExceeded } from './users.errors.js';

type Rights = readonly Pick<Membership, '_environmentId' | 'role'>[];

/** Where somebody decides who may do what, and what they may give there. */
export interface Giver {
  readonly environments: ReadonlySet<string>;
  readonly rights: KeyRights;
}

const NOBODY: Giver = { environments: new Set(), rights: { scopes: [] } };

/** Nobody gives more than they have. Read from the store each time, because another process may have changed it. */
@Injectable()
export class Authority {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly keys: ApiKeysService,
    private readonly callers: CallerRights,
    private readonly clock: Clock,
  ) {}

  /** @throws {Unauthorized} where the session of a person has ended @throws {EnvironmentClosed} */
  async of(caller: Caller): Promise<Giver> {
    const { person, environmentId, apiKeyId } = caller;
    if (person === undefined) return this.ofKey(environmentId, apiKeyId);
    await this.callers.now(caller);
    return this.ofPerson(person.userId);
  }

  /** @throws {NotYourEnvironment} @throws {RightsExceeded} */
  async assertGives(caller: Caller, memberships: Rights): Promise<void> {
    const giver = await this.of(caller);
    assertRules(giver, memberships);
    const excess = excessIn(memberships, giver);
    if (excess !== undefined) throw new RightsExceeded(excess);
  }

  /**
   * Whether whoever made a link could still make one with these rights: not removed or demoted, not revoked or expired.
   * @param memberships what the link opens now
   */
  async stands({ issuer, issuedBy, memberships: made }: UserInvitation, memberships: Rights = made): Promise<boolean> {
    if (issuer === 'operator') return true;
    const [{ _environmentId } = { _environmentId: undefined }] = made;
    if (issuer === undefined || issuedBy === undefined || _environmentId === undefined) return false;
    // A key makes links to its own environment only.
    const giver = await (issuer === 'person'
      ? this.ofPerson(issuedBy)
      : this.ofKey(_environmentId.toHexString(), issuedBy));
    const places = new Set(made.map((one) => one._environmentId.toHexString()));
    const beyondAny = [...beyond(places, memberships), ...beyond(giver.environments, memberships)];
    return beyondAny.length === 0 && excessIn(memberships, giver) === undefined;
  }

  private async ofPerson(id: string): Promise<Giver> {
    const user = await this.users.findById(id).lean().exec();
    const owned = (user?.memberships ?? []).filter(({ role }) => role === 'owner');
    const environments = new Set(owned.map(({ _environmentId }) => _environmentId.toHexString()));
    return { environments, rights: { scopes: KEY_SCOPES } };
  }

  private async ofKey(environmentId: string, id: string): Promise<Giver> {
    const key = await this.keys.find(environmentId, id);
    const rights = key && rightsOf(key);
    if (rights === undefined || isExpired(rights, this.clock.now()) || !rights.scopes.includes('admin')) return NOBODY;
    return { environments: new Set([environmentId]), rights };
  }
}

/** @throws {NotYourEnvironment} where the giver does not rule all of them */
export function assertRules({ environments }: Giver, memberships: readonly Pick<Membership, '_environmentId'>[]): void {
  const ids = beyond(environments, memberships);
  if (ids.length > 0) throw new NotYourEnvironment(ids.join(', '));
}

/** What is missing to give these roles, or too short, in words. */
function excessIn(memberships: readonly Pick<Membership, 'role'>[], { rights }: Giver): string | undefined {
  const scopes = memberships.flatMap(({ role }) => scopesOf(role));
  return excessOf({ scopes: KEY_SCOPES.filter((scope) => scopes.includes(scope)) }, rights);
}

function beyond(
  environments: ReadonlySet<string>,
  memberships: readonly Pick<Membership, '_environmentId'>[],
): string[] {
  return memberships.map(({ _environmentId }) => _environmentId.toHexString()).filter((id) => !environments.has(id));
}
