import type { OutboundHttp } from '../../http/outbound-http.types.js';
import { credentialReader, type CredentialReader } from '../../declarative/credential-reader.js';
import { type AccessToken, tokenOf } from '../../declarative/token-answer.js';
import { TokenCache } from '../../declarative/token-cache.js';
import { parseServiceAccount } from '../../core/service-account.js';
import { assertion, AUDIENCE } from '../../declarative/google-token.js';

const GMAIL = 'https://mail.google.com/';
const MICROSOFT = 'https://outlook.office365.com/.default';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

type Credentials = Readonly<Record<string, unknown>>;

export interface TokenWish {
  readonly now: Date;
  readonly signal?: AbortSignal;
  /** The token that the mail server has refused. */
  readonly refused?: string;
}

export function usesTokens(credentials: Credentials): boolean {
  const c = credentialReader(credentials);
  return c('clientId') !== '' || c('serviceAccount') !== '';
}

/** The grant of RFC 6749 or RFC 7523 that the credentials are for. */
async function grantOf(c: CredentialReader, now: Date): Promise<Record<string, string>> {
  if (c('serviceAccount') !== '') {
    const account = parseServiceAccount(c('serviceAccount'));
    return { grant_type: JWT_BEARER, assertion: await assertion(account, GMAIL, now, c('user') || undefined) };
  }
  const client = { client_id: c('clientId'), client_secret: c('clientSecret') };
  const refresh = c('refreshToken');
  if (refresh !== '') return { grant_type: 'refresh_token', ...client, refresh_token: refresh };
  return { grant_type: 'client_credentials', ...client, scope: MICROSOFT };
}

/** Access tokens for mail servers that take no passwords. */
export class SmtpTokens {
  private readonly cache = new TokenCache();

  constructor(private readonly http: OutboundHttp) {}

  /** @throws {ProviderError} which says whether the token can be had later */
  get(credentials: Credentials, wish: TokenWish): Promise<string> {
    const c = credentialReader(credentials);
    const keys = ['clientId', 'clientSecret', 'refreshToken', 'serviceAccount', 'tokenUrl', 'user'];
    return this.cache.get(keys.map(c), wish.now, () => this.fetch(c, wish), wish.refused);
  }

  private async fetch(c: CredentialReader, { now, signal }: TokenWish): Promise<AccessToken> {
    const url = c('tokenUrl');
    const answer = await this.http.request({
      url: url || AUDIENCE,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(await grantOf(c, now)).toString(),
      trusted: url === '',
      staysAtOrigin: true,
      ...(signal && { signal }),
    });
    return tokenOf(answer, now, 'The token of the mail account was refused');
  }
}
