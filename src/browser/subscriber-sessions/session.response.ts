import { shown } from '#libs/http-kit';
import type { ResolvedSubscriber } from '../../audience/subscribers/index.js';

/** Fields of a subscriber that a session shows. */
export class SessionProfileResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /**
   * First name.
   * @example Ada
   */
  firstName?: string;
  /**
   * Last name.
   * @example Lovelace
   */
  lastName?: string;
  /**
   * Phone number with country code.
   * @example +15551230100
   */
  phone?: string;
}

export class SessionResponse {
  /** Session token. Send it as `Authorization: Bearer <token>`; there is no way to renew it but a new session. */
  token: string;
  profile: SessionProfileResponse;
}

export function showSession(token: string, { _id, firstName, lastName, phone }: ResolvedSubscriber): SessionResponse {
  const profile = shown(SessionProfileResponse, { _id, firstName, lastName, phone });
  return shown(SessionResponse, { token, profile });
}
