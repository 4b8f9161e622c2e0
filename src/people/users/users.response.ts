import { ApiProperty } from '@nestjs/swagger';
import { KEY_SCOPES, type KeyScope } from '#libs/common';
import { shown } from '#libs/http-kit';
import { type Role, ROLES, scopesOf } from './roles.js';
import { SIGN_IN_METHODS, type SignInMethod, type User, type UserInvitation, type UserSession } from './user.schema.js';

/** Someone with a role in this environment. */
export class UserResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** Address with which they sign in. @example ada@example.com */
  email: string;
  /** Name, as others see it. @example Ada Lovelace */
  name: string;
  /** The role in the environment of the request. */
  @ApiProperty({ enum: ROLES, example: 'editor' })
  role: Role;
  /** Id of the person or API key that gave this role; absent for roles of the provider, and of earlier versions. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  issuedBy?: string;
  /** Whether the account also needs the code of an authenticator app. */
  hasTotp: boolean;
  /** Whether it is the person who asks. */
  isYou: boolean;
  createdAt: Date;
  /** Absent until the first sign-in. */
  lastSignInAt?: Date;
}

export function showUser(row: User, environmentId: string, you?: string): UserResponse {
  return shown(UserResponse, {
    _id: row._id.toHexString(),
    id: row._id.toHexString(),
    email: row.email,
    name: row.name,
    ...roleIn(row, environmentId),
    hasTotp: row.totpConfirmedAt !== undefined,
    isYou: row._id.toHexString() === you,
    createdAt: row.createdAt,
    ...(row.lastSignInAt && { lastSignInAt: row.lastSignInAt }),
  });
}

function roleIn(
  { memberships }: Pick<User, 'memberships'>,
  environmentId: string,
): Pick<UserResponse, 'role' | 'issuedBy'> {
  const own = memberships.find((one) => one._environmentId.toHexString() === environmentId);
  return { role: own?.role ?? 'viewer', ...(own?.issuedBy !== undefined && { issuedBy: own.issuedBy }) };
}

/** An invitation that nobody has accepted yet. */
export class InvitationResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** Absent on the invitation of the first person. @example grace@example.com */
  email?: string;
  /** The role in the environment of the request. */
  @ApiProperty({ enum: ROLES, example: 'editor' })
  role: Role;
  /** Who invited. @example ada@example.com */
  invitedBy: string;
  /** Id of that person or API key; absent for the first start. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  issuedBy?: string;
  createdAt: Date;
  /** When the link stops working. */
  expiresAt: Date;
}

export function showInvitation(row: UserInvitation, environmentId: string): InvitationResponse {
  return shown(InvitationResponse, invitationFields(row, environmentId));
}

function invitationFields(row: UserInvitation, environmentId: string) {
  return {
    _id: row._id.toHexString(),
    id: row._id.toHexString(),
    email: row.email,
    ...roleIn(row, environmentId),
    invitedBy: row.invitedBy,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  };
}

export const MAIL_OUTCOMES = ['sent', 'no_integration', 'failed'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/** A link that works once. */
export class LinkResponse {
  /** Only this response shows it. @example https://herald.example.com/console/invitation#0Zc1Qk5sVt0d5p8rW2a9uY7xE3bNfHjL6mKqTgSvBnI */
  url: string;
  /** When the link stops working. */
  expiresAt: Date;
  /**
   * Whether the link was sent to the person: through the email integration that an owner has marked for Herald's own mails, or the
   * server in SYSTEM_MAIL_URL. `no_integration` if there is neither: send the link yourself.
   */
  @ApiProperty({ enum: MAIL_OUTCOMES, example: 'sent' })
  mail: MailOutcome;
  /** Why it could not be sent. */
  mailError?: string;
}

/** What became of a link, and the link. */
export interface MadeLink {
  readonly url: string;
  readonly expiresAt: Date;
  readonly mail: MailOutcome;
  readonly mailError?: string;
}

export function showLink(link: MadeLink): LinkResponse {
  return shown(LinkResponse, link);
}

export class CreatedInvitationResponse extends InvitationResponse {
  /** Only this response shows it. @example https://herald.example.com/console/invitation#0Zc1Qk5sVt0d5p8rW2a9uY7xE3bNfHjL6mKqTgSvBnI */
  url: string;
  /**
   * Whether the link was sent to the person: through the email integration that an owner has marked for Herald's own mails, or the
   * server in SYSTEM_MAIL_URL. `no_integration` if there is neither: send the link yourself.
   */
  @ApiProperty({ enum: MAIL_OUTCOMES, example: 'sent' })
  mail: MailOutcome;
  /** Why it could not be sent. */
  mailError?: string;
}

export function showCreatedInvitation(
  row: UserInvitation,
  environmentId: string,
  link: MadeLink,
): CreatedInvitationResponse {
  return shown(CreatedInvitationResponse, { ...invitationFields(row, environmentId), ...link });
}

/** What a link is for. */
export class OpenedLinkResponse {
  /** Absent if you say it. @example grace@example.com */
  email?: string;
  /** Whether the address has an account: then its password is asked for, and none is chosen. */
  hasAccount: boolean;
  /** Whether the link only sets a new password. */
  isRecovery: boolean;
  /** When the link stops working. */
  expiresAt: Date;
}

export function showOpenedLink(row: UserInvitation, user: User | null): OpenedLinkResponse {
  const email = user?.email ?? row.email;
  const isRecovery = row._recoveredUserId !== undefined;
  return shown(OpenedLinkResponse, {
    email,
    hasAccount: user !== null && !isRecovery,
    isRecovery,
    expiresAt: row.expiresAt,
  });
}

/** A signed-in browser. */
export class UserSessionResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** How the person signed in. */
  @ApiProperty({ enum: SIGN_IN_METHODS, example: 'password' })
  method: SignInMethod;
  /** Address of the browser. @example 203.0.113.7 */
  ip: string;
  /** What the browser calls itself; may be empty. @example Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0 */
  userAgent: string;
  /** Whether it is the session of the request. */
  current: boolean;
  createdAt: Date;
  /** Time of the last use, to the minute. */
  lastUsedAt: Date;
  /** When the session ends at the latest. */
  expiresAt: Date;
}

export function showUserSession(row: UserSession, current?: string): UserSessionResponse {
  const id = row._id.toHexString();
  const { method, ip, userAgent, createdAt, lastUsedAt, expiresAt } = row;
  return shown(UserSessionResponse, {
    _id: id,
    id,
    method,
    ip,
    userAgent,
    current: id === current,
    createdAt,
    lastUsedAt,
    expiresAt,
  });
}

/** What a sign-in page offers. */
export class SignInOptionsResponse {
  /** Whether anybody can sign in by email; otherwise there are only API keys. */
  hasUsers: boolean;
  /** Whether the cookie of the request is that of a session. */
  isSignedIn: boolean;
  /** Whether people sign in with passwords. */
  takesPasswords: boolean;
  /** Name of the provider with which people sign in at `/sign-in/oidc`, if there is one. @example Keycloak */
  provider?: string;
}

/** An environment in which you have a role. */
export class MyEnvironmentResponse {
  /** Sent as `Herald-Environment-Id`. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Display name. @example Development */
  name: string;
  /** Your role in it. */
  @ApiProperty({ enum: ROLES, example: 'owner' })
  role: Role;
  /** What the role allows, in the words in which operations ask for it. */
  @ApiProperty({ enum: KEY_SCOPES, isArray: true, example: ['read', 'write', 'trigger'] })
  scopes: readonly KeyScope[];
}

/** Who is signed in, and where they may go. */
export class SignedInResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** Address with which they sign in. @example ada@example.com */
  email: string;
  /** Name, as others see it. @example Ada Lovelace */
  name: string;
  /** Whether the person has a password. */
  hasPassword: boolean;
  /** Whether signing in also needs the code of an authenticator app. */
  hasTotp: boolean;
  /** Whether the setting `REQUIRE_TOTP` demands codes of the account, which then cannot be switched off. */
  requiresTotp: boolean;
  /** Whether nothing else is open to this session until they are set up. */
  needsTotp: boolean;
  /** Whether the person has signed in with the provider of single sign-on. */
  hasSingleSignOn: boolean;
  /** Sent as the header `X-CSRF-Token` with every change. @example 8pQ0hW3mB5vT1xZ7kL2nR9cF4sD6gJ0aYeUiOoPqWtE */
  csrfToken: string;
  /** When the session ends at the latest. */
  expiresAt: Date;
  /** Without the header `Herald-Environment-Id`, requests concern the first one. */
  @ApiProperty({ type: () => [MyEnvironmentResponse] })
  environments: MyEnvironmentResponse[];
}

export interface SignedIn {
  readonly user: User;
  readonly requiresTotp: boolean;
  readonly needsTotp: boolean;
  readonly expiresAt: Date;
  readonly csrfToken: string;
  readonly environments: readonly { readonly _id: string; readonly name: string; readonly role: Role }[];
}

export function showSignedIn({ user, environments, ...rest }: SignedIn): SignedInResponse {
  return shown(SignedInResponse, {
    _id: user._id.toHexString(),
    id: user._id.toHexString(),
    email: user.email,
    name: user.name,
    hasPassword: user.passwordHash !== undefined,
    hasTotp: user.totpConfirmedAt !== undefined,
    hasSingleSignOn: user.oidc !== undefined,
    ...rest,
    environments: environments.map((one) => shown(MyEnvironmentResponse, { ...one, scopes: scopesOf(one.role) })),
  });
}

/** What an authenticator app needs. */
export class TotpSecretResponse {
  /** To type in. @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP */
  secret: string;
  /** To show as a QR code. @example otpauth://totp/Herald:ada%40example.com?issuer=Herald&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30 */
  uri: string;
}

export class RecoveryCodesResponse {
  /** Each signs in once in the place of a code. Only this response shows them. */
  @ApiProperty({ type: [String], example: ['K7QF-2MXR-PA5T'] })
  recoveryCodes: string[];
}
