import { Injectable } from '@nestjs/common';
import { type Caller, type CallingPerson, FailPoint, type KeyRights } from '#libs/common';
import { ApiKeysService } from './api-keys.service.js';
import { Unauthorized } from './auth.errors.js';
import { isExpired, rightsOf } from './key-rights.js';

/** Between the last look at what somebody may do and the write that gives rights. */
export const GIVING = new FailPoint('rights.giving');

type PersonRights = (person: CallingPerson, environmentId: string) => Promise<KeyRights>;

/** What a caller may do as the store has it now, and not as it was when the request came in. */
@Injectable()
export class CallerRights {
  private ofPerson: PersonRights = () => Promise.resolve({ scopes: [] });

  constructor(private readonly apiKeys: ApiKeysService) {}

  /** People are known to a module above. */
  readPeopleBy(read: PersonRights): void {
    this.ofPerson = read;
  }

  /** @throws {Unauthorized} where the key was revoked or has expired, or the session has ended */
  async now({ person, environmentId, apiKeyId }: Caller): Promise<KeyRights> {
    if (person !== undefined) return this.ofPerson(person, environmentId);
    const key = await this.apiKeys.find(environmentId, apiKeyId);
    const rights = key && rightsOf(key);
    if (rights === undefined || isExpired(rights, new Date())) {
      throw new Unauthorized('The API key is unknown, revoked or expired.');
    }
    return rights;
  }
}

/**
 * Writes what gives rights. Whoever gives them may lose their own at the same moment, so that is looked at again when it is stored: either
 * the loss came later, or what was given is taken back.
 * @param mayGive throws if not, as the store has it now
 */
export async function giveWhile<T>(
  mayGive: () => Promise<void>,
  give: () => Promise<T>,
  takeBack: (given: T) => Promise<unknown>,
): Promise<T> {
  await mayGive();
  await GIVING.pass();
  const given = await give();
  try {
    await mayGive();
  } catch (error) {
    await takeBack(given);
    throw error;
  }
  return given;
}
