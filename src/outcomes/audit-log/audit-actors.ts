import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import type { HttpRequest } from '#libs/http-kit';
import { UserSessionsService } from '../../people/users/index.js';
import { ApiKeysService } from '../../platform/auth/index.js';
import type { AuditEntry } from './audit-entry.schema.js';
import type { AuditOwner } from './audit-trail.js';

const MAX_USER_AGENT = 300;

export interface AuditActors {
  readonly actor: AuditEntry['actor'];
  /** The environments whose log has it. */
  readonly owners: readonly AuditOwner[];
}

/** Who did something, and from where. */
@Injectable()
export class AuditActorsService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly people: UserSessionsService,
  ) {}

  /** @param isOwnAccount what it is about is in all environments of the person */
  async of(caller: Caller, isOwnAccount: boolean): Promise<AuditActors> {
    const { person, apiKeyId, environmentId, agent } = caller;
    if (person === undefined) {
      const name = (await this.keys.namesByIds(environmentId, [apiKeyId])).get(apiKeyId);
      const type = agent === undefined ? 'api_key' : 'agent';
      return { actor: { type, id: apiKeyId, ...(name !== undefined && { name }) }, owners: [caller] };
    }
    const account = isOwnAccount ? await this.account({ _id: person.userId }) : undefined;
    if (account !== undefined) return account;
    const { userId: id, name, email } = person;
    return { actor: { type: 'user', id, name, email }, owners: [caller] };
  }

  /** Undefined if it is nobody's. */
  async account(by: { readonly _id: string } | { readonly email: string }): Promise<AuditActors | undefined> {
    const user = await this.people.findUser(by);
    if (user === undefined) return undefined;
    return {
      actor: { type: 'user', id: user._id.toHexString(), name: user.name, email: user.email },
      owners: user.memberships.map(({ _organizationId, _environmentId }) => ({
        organizationId: _organizationId.toHexString(),
        environmentId: _environmentId.toHexString(),
      })),
    };
  }
}

export function originOf({ ip, headers, id }: HttpRequest): Pick<AuditEntry, 'ip' | 'userAgent' | 'requestId'> {
  return { ip, userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT).toWellFormed(), requestId: id };
}
