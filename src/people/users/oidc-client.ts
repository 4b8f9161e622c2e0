import { isNativeError } from 'node:util/types';
import { Injectable } from '@nestjs/common';
import type { ClientAuth, Configuration } from 'openid-client';
import { AppConfig } from '#libs/config';
import { claimAt, type Claims, type OidcProfile, profileOf } from './oidc-claims.js';
import { OidcFault, type OidcFaultName } from './oidc-faults.js';

const TIMEOUT_SECONDS = 10;
const CLOCK_TOLERANCE_SECONDS = 60;
const DISCOVERED_FOR_MS = 3_600_000;

export const OIDC_PATH = '/sign-in/oidc';

/** What has to be known when the provider sends somebody back. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Discovered {
  readonly at: number;
  readonly provider: Promise<Configuration>;
}

/** Authorization code flow with PKCE, state and nonce. The library is loaded, and the provider asked, when somebody signs in. */
@Injectable()
export class OidcClient {
  /** Undefined without a provider. */
  readonly redirectUri: string | undefined;
  private readonly issuer: string;
  private discovered: Discovered | undefined;

  constructor(private readonly config: AppConfig) {
    const issuer = config.get('OIDC_ISSUER');
    this.issuer = issuer ?? '';
    // Never from the Host header, which whoever asks can choose.
    this.redirectUri = issuer && `${config.get('PUBLIC_URL')}${OIDC_PATH}/callback`;
  }

  /** Where to send the browser. @throws {OidcFault} */
  async begin(): Promise<{ readonly url: string; readonly flow: OidcFlow }> {
    const provider = await this.discover();
    const oidc = await library();
    const flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.redirectUri ?? '',
      scope: this.config.get('OIDC_SCOPES'),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, flow };
  }

  /** @param query with which the provider sent the browser back @throws {OidcFault} */
  async finish(query: string, { state, nonce, verifier }: OidcFlow): Promise<OidcProfile> {
    const provider = await this.discover();
    const oidc = await library();
    try {
      const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${this.redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims: Claims & { sub: string; iss: string } = { sub: '', iss: '', ...tokens.claims() };
      // Everybody without a subject would be the same person.
      if (claims.sub.trim() === '') throw new OidcFault('unverified', 'The ID token has an empty subject (sub).');
      const info: Claims = this.isEnough(claims, provider)
        ? {}
        : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub);
      const identity = { issuer: claims.iss, subject: claims.sub };
      return profileOf(identity, claims, info, this.config.get('OIDC_ROLE_CLAIM'));
    } catch (error) {
      throw await faultOf(error, 'unverified');
    }
  }

  private isEnough(claims: Claims, provider: Configuration): boolean {
    if (provider.serverMetadata().userinfo_endpoint === undefined) return true;
    const needsValues = this.config.get('OIDC_ROLES').length > 0;
    return (
      claims['email'] !== undefined &&
      (!needsValues || claimAt(claims, this.config.get('OIDC_ROLE_CLAIM')) !== undefined)
    );
  }

  /** A failure is not remembered. */
  private discover(): Promise<Configuration> {
    if (this.discovered !== undefined && Date.now() - this.discovered.at < DISCOVERED_FOR_MS)
      return this.discovered.provider;
    const discovered = { at: Date.now(), provider: this.load() };
    this.discovered = discovered;
    discovered.provider.catch(() => {
      if (this.discovered === discovered) this.discovered = undefined;
    });
    return discovered.provider;
  }

  private async load(): Promise<Configuration> {
    const oidc = await library();
    const isPlain = this.issuer.startsWith('http:');
    try {
      return await oidc.discovery(
        new URL(this.issuer),
        this.config.get('OIDC_CLIENT_ID') ?? '',
        { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        await this.authentication(),
        {
          timeout: TIMEOUT_SECONDS,
          execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
        },
      );
    } catch (error) {
      throw await faultOf(error, 'misconfigured');
    }
  }

  private async authentication(): Promise<ClientAuth> {
    const oidc = await library();
    const secret = this.config.get('OIDC_CLIENT_SECRET');
    if (secret === undefined) return oidc.None();
    const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
    return (server, ...rest) => {
      const known = server.token_endpoint_auth_methods_supported ?? [];
      const isPost = known.includes('client_secret_post') && !known.includes('client_secret_basic');
      return (isPost ? post : basic)(server, ...rest);
    };
  }
}

function library(): Promise<typeof import('openid-client')> {
  return import('openid-client');
}

const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** @param otherwise what is at fault if the answer came but is not as it should be */
async function faultOf(error: unknown, otherwise: OidcFaultName): Promise<OidcFault> {
  const oidc = await library();
  const reason = reasonOf(error);
  if (error instanceof oidc.AuthorizationResponseError)
    return new OidcFault(error.error === 'access_denied' ? 'denied' : 'refused', reason);
  if (error instanceof oidc.ResponseBodyError)
    return new OidcFault(faultOfTokenError(error.error, error.status), reason);
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new OidcFault('misconfigured', reason);
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (UNREACHABLE.has(code) || isOfFetch(error) || isOfFetch(cause)) return new OidcFault('unavailable', reason);
  return new OidcFault(code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? 'clock' : otherwise, reason);
}

/** What `fetch` throws where nothing can be reached. */
function isOfFetch(error: unknown): boolean {
  return isNativeError(error) && error.name === 'TypeError' && 'cause' in error;
}

function faultOfTokenError(error: string, status: number): OidcFaultName {
  if (status >= 500) return 'unavailable';
  if (error === 'invalid_grant') return 'expired';
  return error === 'invalid_client' || error === 'unauthorized_client' ? 'misconfigured' : 'refused';
}

/** Without values of the answer, which may be secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { error: named, cause } = error as { error?: unknown; cause?: unknown };
  const below = cause instanceof Error && cause.message !== error.message ? `: ${cause.message}` : '';
  return `${error.message}${typeof named === 'string' ? ` (${named})` : ''}${below}`;
}
