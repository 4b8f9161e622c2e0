import type { SendContext } from '../core/provider.js';
import { incompleteAccount, type ServiceAccount } from '../core/service-account.js';
import { type AccessToken, tokenOf } from './token-answer.js';
import { TokenCache } from './token-cache.js';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
export const AUDIENCE = 'https://oauth2.googleapis.com/token';
/** Longest lifetime of an assertion that Google accepts. */
const LIFETIME_S = 3_600;

/** What a service account proves itself with. @param subject the user in whose name it acts */
export async function assertion(
  { clientEmail, privateKey }: ServiceAccount,
  scope: string,
  now: Date,
  subject?: string,
): Promise<string> {
  const { SignJWT, importPKCS8 } = await import('jose');
  const seconds = Math.floor(now.getTime() / 1_000);
  const key = await importPKCS8(privateKey, 'RS256').catch(() => {
    throw incompleteAccount('holds a private_key that is not a PKCS #8 key in PEM');
  });
  return new SignJWT({ scope, ...(subject !== undefined && { sub: subject }) })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientEmail)
    .setAudience(AUDIENCE)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFETIME_S)
    .sign(key);
}

async function fetchToken(account: ServiceAccount, context: SendContext): Promise<AccessToken> {
  const now = context.now();
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await assertion(account, SCOPE, now),
  });
  const answer = await context.http.request({
    url: context.baseUrl === undefined ? AUDIENCE : `${context.baseUrl}/token`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    signal: context.signal,
    trusted: true,
  });
  return tokenOf(answer, now, 'Google refused the service account');
}

/** Access tokens of service accounts. */
export class GoogleTokens {
  private readonly cache = new TokenCache();

  get(account: ServiceAccount, context: SendContext): Promise<string> {
    const { clientEmail, privateKey } = account;
    const credentials = [clientEmail, privateKey, context.baseUrl ?? ''];
    return this.cache.get(credentials, context.now(), () => fetchToken(account, context));
  }
}
