import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ProviderError } from '../../errors/provider-error.js';
import type { SendContext } from '../../core/provider.js';
import { textAt } from '../../declarative/json-path.js';
import { type AccessToken, tokenOf } from '../../declarative/token-answer.js';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const AUDIENCE = 'https://oauth2.googleapis.com/token';
/** Longest lifetime of an assertion that Google accepts. */
const LIFETIME_S = 3_600;

export interface ServiceAccount {
  projectId: string;
  clientEmail: string;
  privateKey: string;
}

function incomplete(reason: string): ProviderError {
  return new ProviderError(`credentials.serviceAccount ${reason}.`, {
    code: 'credentials_incomplete',
    retryable: false,
  });
}

/** Reads the text of Firebase's service account file. */
export function parseServiceAccount(text: string): ServiceAccount {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw incomplete('is not valid JSON; paste the whole service account file');
  }
  const projectId = textAt(json, 'project_id');
  const clientEmail = textAt(json, 'client_email');
  const privateKey = textAt(json, 'private_key');
  if (projectId && clientEmail && privateKey) return { projectId, clientEmail, privateKey };
  throw incomplete('lacks project_id, client_email or private_key; paste the whole service account file');
}

async function assertion({ clientEmail, privateKey }: ServiceAccount, now: Date): Promise<string> {
  const { SignJWT, importPKCS8 } = await import('jose');
  const seconds = Math.floor(now.getTime() / 1_000);
  const key = await importPKCS8(privateKey, 'RS256').catch(() => {
    throw incomplete('holds a private_key that is not a PKCS #8 key in PEM');
  });
  return new SignJWT({ scope: SCOPE })
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
    assertion: await assertion(account, now),
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

interface Entry {
  fetching: Promise<AccessToken>;
  /** Expiry in milliseconds since 1970; infinite while the token is being fetched. */
  until: number;
}

/** Access tokens of service accounts, cached until shortly before they expire. Concurrent callers share one request. */
export class GoogleTokens {
  private readonly entries = new LRUCache<string, Entry>({ max: 100 });

  async get(account: ServiceAccount, context: SendContext): Promise<string> {
    const key = createHash('sha256')
      .update([account.clientEmail, account.privateKey, context.baseUrl ?? ''].join('\n'))
      .digest('base64');
    const known = this.entries.get(key);
    if (known && known.until > context.now().getTime()) return (await known.fetching).token;
    const entry: Entry = { fetching: fetchToken(account, context), until: Infinity };
    this.entries.set(key, entry);
    try {
      const { token, until } = await entry.fetching;
      entry.until = until;
      return token;
    } catch (error) {
      this.entries.delete(key);
      throw error;
    }
  }
}
