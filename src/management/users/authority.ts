import type { Caller } from '#libs/common';
import type { Types } from 'mongoose';
import type { Membership, User } from './user.schema.js';
import { NotYourEnvironment } from './users.errors.js';

/** The environments in which the caller decides who may do what. */
export function environmentsRuledBy(caller: Caller, self: User | null): ReadonlySet<string> {
  if (caller.person === undefined) return new Set([caller.environmentId]);
  const owned = (self?.memberships ?? []).filter(({ role }) => role === 'owner');
  return new Set(owned.map(({ _environmentId }) => _environmentId.toHexString()));
}

/** @throws {NotYourEnvironment} where the caller does not rule all of them */
export function assertRules(
  ruled: ReadonlySet<string>,
  memberships: readonly Pick<Membership, '_environmentId'>[],
): void {
  const beyond = memberships.map(({ _environmentId }) => idOf(_environmentId)).filter((id) => !ruled.has(id));
  if (beyond.length > 0) throw new NotYourEnvironment(beyond.join(', '));
}

function idOf(id: Types.ObjectId): string {
  return id.toHexString();
}
