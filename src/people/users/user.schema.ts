import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { BaseRecord, defineGlobalSchema, uniqueWhileAlive } from '#libs/persistence';
import { SealedField } from '#libs/secrets';
import type { Role } from './roles.js';

/** A role in one environment. */
export interface Membership {
  readonly _organizationId: Types.ObjectId;
  readonly _environmentId: Types.ObjectId;
  readonly role: Role;
  /** Id of the person or API key that gave it; absent for roles of the provider, and of earlier versions. */
  readonly issuedBy?: string;
}

const MEMBERSHIPS = [
  {
    _id: false,
    _organizationId: { type: MongooseSchema.Types.ObjectId, required: true },
    _environmentId: { type: MongooseSchema.Types.ObjectId, required: true },
    role: { type: String, required: true },
    issuedBy: { type: String },
  },
];

/** Somebody, as an OpenID Connect provider knows them: its `iss` and `sub`. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** A person who signs in to the console. */
@Schema({ collection: 'users', timestamps: true })
export class User extends BaseRecord {
  /** In lower case. */
  @Prop({ type: String, required: true })
  email: string;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: MEMBERSHIPS, required: true })
  memberships: Membership[];

  /** Absent for those who only use single sign-on. */
  @Prop({ type: String })
  passwordHash?: string;

  /** Seed of the codes; being set up until it is confirmed. */
  @Prop({ type: String })
  sealedTotp?: string;

  @Prop({ type: Date })
  totpConfirmedAt?: Date;

  /** The last period whose code was used: a code works once. */
  @Prop({ type: Number })
  totpPeriod?: number;

  /** SHA-256 of the recovery codes that are left. */
  @Prop({ type: [String], default: undefined })
  recoveryHashes?: string[];

  /** Networks of the last sign-ins. They stay open when others guess the password. */
  @Prop({ type: [String], required: true })
  networks: string[];

  @Prop({ type: Date })
  lastSignInAt?: Date;

  /** Present once the provider has signed the person in. */
  @Prop({ type: new MongooseSchema({ issuer: String, subject: String }, { _id: false }) })
  oidc?: OidcIdentity;

  /** Raised by whatever ends the sessions of before, in the same write. Absent counts as 0. */
  @Prop({ type: Number })
  credentialsVersion?: number;

  /** Of somebody whom the provider has taken all roles from: when the account goes. */
  @Prop({ type: Date })
  expireAt?: Date;
}

/** To unset. */
export const TOTP_FIELDS = { sealedTotp: 1, totpConfirmedAt: 1, totpPeriod: 1, recoveryHashes: 1 } as const;
export const CREDENTIAL_FIELDS = { passwordHash: 1, ...TOTP_FIELDS } as const;

export const SEALED_TOTP = new SealedField('users', 'sealedTotp');

export const UserSchema = defineGlobalSchema(User);
// sign-in; an email is one person
UserSchema.index({ email: 1 }, uniqueWhileAlive);
// sign-in with a provider; an identity is one person
UserSchema.index(
  { 'oidc.subject': 1, 'oidc.issuer': 1 },
  { unique: true, partialFilterExpression: { deleted: false, 'oidc.subject': { $exists: true } } },
);
// the people of an environment, oldest first
UserSchema.index({ 'memberships._environmentId': 1, deleted: 1, createdAt: 1, _id: 1 });
UserSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const SIGN_IN_METHODS = ['password', 'invitation', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Found by the hash of its token, which only the browser has. */
@Schema({ collection: 'userSessions', timestamps: true })
export class UserSession extends BaseRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _userId: Types.ObjectId;

  /** SHA-256, hex. */
  @Prop({ type: String, required: true })
  hash: string;

  @Prop({ type: String, required: true })
  method: SignInMethod;

  /** Of its person when it was opened: the session has ended once theirs is higher. Absent counts as 0. */
  @Prop({ type: Number })
  credentialsVersion?: number;

  @Prop({ type: String, required: true })
  ip: string;

  /** Empty if the browser says nothing. */
  @Prop({ type: String, default: '' })
  userAgent: string;

  /** Exact to the minute. */
  @Prop({ type: Date, required: true })
  lastUsedAt: Date;

  @Prop({ type: Date, required: true })
  expiresAt: Date;
}

export const UserSessionSchema = defineGlobalSchema(UserSession);
// the guard's look-up
UserSessionSchema.index({ hash: 1 }, { unique: true });
// the sessions of a person, newest first
UserSessionSchema.index({ _userId: 1, createdAt: -1, _id: -1 });
UserSessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Who makes links. The operator makes that of the first start. */
export type LinkIssuer = 'person' | 'api_key' | 'operator';

/** A link that can be used once: to join, or to choose a new password. */
@Schema({ collection: 'userInvitations', timestamps: true })
export class UserInvitation extends BaseRecord {
  /** SHA-256 of the token, hex. */
  @Prop({ type: String, required: true })
  hash: string;

  /** Absent for the first person, who says it. */
  @Prop({ type: String })
  email?: string;

  /** The roles that it gives; those that the person had when a link for a new password was made. */
  @Prop({ type: MEMBERSHIPS, required: true })
  memberships: Membership[];

  /** Present if the link only sets the password of this person. */
  @Prop({ type: MongooseSchema.Types.ObjectId })
  _recoveredUserId?: Types.ObjectId;

  /** Of that person when the link was made: it has ended once theirs is higher. */
  @Prop({ type: Number })
  credentialsVersion?: number;

  /** Absent on links of earlier versions, which do not work any more. */
  @Prop({ type: String })
  issuer?: LinkIssuer;

  /** Id of the person or API key that made it. */
  @Prop({ type: String })
  issuedBy?: string;

  /** Who made it, in words. */
  @Prop({ type: String, required: true })
  invitedBy: string;

  @Prop({ type: Date, required: true })
  expiresAt: Date;
}

export const UserInvitationSchema = defineGlobalSchema(UserInvitation);
UserInvitationSchema.index({ hash: 1 }, { unique: true });
// what somebody was invited to, oldest first
UserInvitationSchema.index({ email: 1, createdAt: 1, _id: 1 });
// open invitations of an environment, newest first
UserInvitationSchema.index({ 'memberships._environmentId': 1, createdAt: -1, _id: -1 });
UserInvitationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** How often a sign-in was tried in a stretch of time. */
@Schema({ collection: 'signInWindows' })
export class SignInWindow extends BaseRecord {
  @Prop({ type: String, required: true })
  key: string;

  @Prop({ type: Number, required: true })
  attempts: number;

  @Prop({ type: Date, required: true })
  expiresAt: Date;
}

export const SignInWindowSchema = defineGlobalSchema(SignInWindow);
SignInWindowSchema.index({ key: 1 }, { unique: true });
SignInWindowSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
