import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import { ApiKeysService } from '../../platform/auth/index.js';

/** How invitations name who made them. */
@Injectable()
export class InviterNames {
  constructor(private readonly keys: ApiKeysService) {}

  async of({ person, environmentId, apiKeyId }: Caller): Promise<string> {
    if (person !== undefined) return person.email;
    const names = await this.keys.namesByIds(environmentId, [apiKeyId]);
    return `API key ${names.get(apiKeyId) ?? apiKeyId}`;
  }
}
