import type { OidcIdentity } from './user.schema.js';

export interface OidcProfile extends OidcIdentity {
  readonly name?: string;
  readonly email?: string;
  /** Undefined if the provider does not say. */
  readonly isEmailVerified?: boolean;
  /** Of the claim that decides roles; undefined without such a claim. */
  readonly values?: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

/** By its name, which may have dots, or by a path of names. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Claims)[name];
  }
  return value;
}

/** What the ID token says goes before what the address for user information says. */
export function profileOf(identity: OidcIdentity, token: Claims, info: Claims, roleClaim: string): OidcProfile {
  const values = textsOf(claimAt(token, roleClaim) ?? claimAt(info, roleClaim));
  // An address and whether it is verified belong together.
  const { email, email_verified: verified } = textOf(token['email']) === undefined ? info : token;
  const [address, isEmailVerified, name] = [textOf(email), flagOf(verified), textOf(token['name'] ?? info['name'])];
  return {
    ...identity,
    ...(name !== undefined && { name }),
    ...(address !== undefined && { email: address.toLowerCase() }),
    ...(isEmailVerified !== undefined && { isEmailVerified }),
    ...(values !== undefined && { values }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Some providers send texts. */
function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  return value === true || value === 'true';
}

function textsOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return [value].flat().filter((one): one is string => typeof one === 'string');
}
