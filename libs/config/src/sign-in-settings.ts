export const ROLES = ['viewer', 'editor', 'owner'] as const;

/** Plain HTTP only where nobody listens in between. */
export const ISSUER = /^(?:https:\/\/[^\s?#]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/][^\s?#]*)?)$/;

export interface MappedRole {
  /** Of a claim; `*` for everybody. */
  readonly value: string;
  readonly role: (typeof ROLES)[number];
  /** By name; undefined for all. */
  readonly environment: string | undefined;
}

/** `value=role` or `value=role@environment`, where the value may have equals signs itself. */
export function mappedRoleOf(pair: string): MappedRole | undefined {
  const at = pair.lastIndexOf('=');
  const value = pair.slice(0, Math.max(at, 0)).trim();
  const [, name, environment] = /^(viewer|editor|owner)(?:@(.+))?$/.exec(pair.slice(at + 1)) ?? [];
  const role = ROLES.find((one) => one === name);
  return value === '' || role === undefined ? undefined : { value, role, environment: environment?.trim() };
}

interface SignInSettings {
  readonly PASSWORD_SIGN_IN: 'on' | 'off';
  readonly PUBLIC_URL?: string | undefined;
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_DOMAINS: readonly string[];
  readonly OIDC_DEFAULT_ROLE?: MappedRole['role'] | undefined;
  readonly OIDC_ROLES: readonly MappedRole[];
}

/** Providers with which anybody can make an account. */
const OPEN_TO_ALL = /^https:\/\/accounts\.google\.com\/?$/;

/** Settings that need or exclude each other. */
export function faultsOfSignIn(values: SignInSettings): string[] {
  const { PASSWORD_SIGN_IN, PUBLIC_URL, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_DOMAINS, OIDC_DEFAULT_ROLE, OIDC_ROLES } =
    values;
  if (OIDC_ISSUER === undefined)
    return PASSWORD_SIGN_IN === 'on'
      ? []
      : ['PASSWORD_SIGN_IN: nobody could sign in. Set OIDC_ISSUER, or leave it on.'];
  const takesAnybody = OIDC_DEFAULT_ROLE !== undefined || OIDC_ROLES.some(({ value }) => value === '*');
  return [
    ...(OIDC_CLIENT_ID === undefined ? ['OIDC_CLIENT_ID: must be set with OIDC_ISSUER.'] : []),
    ...(PUBLIC_URL === undefined
      ? [
          'PUBLIC_URL: must be set with OIDC_ISSUER. The provider sends people back to PUBLIC_URL/sign-in/oidc/callback.',
        ]
      : []),
    ...(OIDC_DEFAULT_ROLE !== undefined && OIDC_ROLES.length > 0
      ? ['OIDC_DEFAULT_ROLE: OIDC_ROLES decides about roles. Add *=viewer to it instead.']
      : []),
    ...(takesAnybody && OPEN_TO_ALL.test(OIDC_ISSUER) && OIDC_DOMAINS.length === 0
      ? ['OIDC_DOMAINS: anybody has an account of this provider. Set the domains of your addresses.']
      : []),
  ];
}
