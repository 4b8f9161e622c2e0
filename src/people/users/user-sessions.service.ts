import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model, QueryFilter, Types } from 'mongoose';
import { type Caller, type CallingPerson, Clock, FailPoint } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { HttpRequest } from '#libs/http-kit';
import { isObjectId } from '#libs/persistence';
import { CallerRights, Unauthorized } from '../../platform/auth/index.js';
import { type Demand, lacksTotp } from './required-factor.js';
import { scopesOf } from './roles.js';
import { isCsrfToken, sessionTokenIn } from './session-cookie.js';
import { CREDENTIAL_FIELDS, type Membership, type SignInMethod, User, UserSession } from './user.schema.js';
import { CsrfTokenInvalid, EnvironmentClosed, SecondFactorRequired, SessionNotFound } from './users.errors.js';

/** Other processes may accept an ended session for this time, where it reads and does not need the scope admin. */
const CACHE_MS = 2_000;
const LAST_USE_INTERVAL_MS = 60_000;
const HOUR_MS = 3_600_000;
/** How long an account stays that the provider gives no role any more. */
const WITHOUT_ROLE_MS = 30 * 24 * HOUR_MS;
/** Reached between the change of somebody's credentials and the removal of their sessions. */
export const CREDENTIALS_CHANGED = new FailPoint('credentials.changed');
const MAX_USER_AGENT = 300;
const SESSION_ENDED = 'Your session has ended. Sign in again, or use an API key.';
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export interface Origin {
  readonly ip: string;
  readonly userAgent: string;
}

export interface OpenedSession {
  /** Only the browser gets it. */
  readonly token: string;
  readonly session: UserSession;
  readonly user: User;
}

interface KnownSession {
  readonly session: UserSession;
  readonly user: User;
}

@Injectable()
export class UserSessionsService {
  private readonly known = new LRUCache<string, KnownSession>({ max: 1_000, ttl: CACHE_MS });
  private readonly lifetimeMs: number;
  private readonly demand: Demand;

  constructor(
    @InjectModel(UserSession.name) private readonly sessions: Model<UserSession>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly clock: Clock,
    rights: CallerRights,
    config: AppConfig,
  ) {
    rights.readPeopleBy((person, environmentId) => this.still(person, environmentId));
    this.lifetimeMs = config.get('USER_SESSION_HOURS') * HOUR_MS;
    this.demand = config.get('REQUIRE_TOTP');
  }

  /** Always a new token: one that somebody planted in the browser before is worth nothing. */
  async open(user: User, method: SignInMethod, { ip, userAgent }: Origin): Promise<OpenedSession> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const session = await this.sessions.create({
      _userId: user._id,
      hash: hashOf(token),
      method,
      credentialsVersion: user.credentialsVersion ?? 0,
      ip,
      userAgent: userAgent.slice(0, MAX_USER_AGENT),
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + this.lifetimeMs),
    });
    return { token, session: session.toObject(), user };
  }

  /**
   * @param needs `isFresh`: reads the store, for changes and for what needs the scope admin
   * @throws {Unauthorized} @throws {CsrfTokenInvalid} @throws {SecondFactorRequired} @throws {EnvironmentClosed}
   */
  async authenticate(
    request: HttpRequest,
    { isFresh, isOpenWithoutFactor }: { readonly isFresh: boolean; readonly isOpenWithoutFactor: boolean },
  ): Promise<Caller> {
    const token = sessionTokenIn(request.headers.cookie);
    if (token === undefined) throw new Unauthorized('The request carries no API key.');
    const known = await this.find(token, isFresh);
    if (known === undefined) throw new Unauthorized(SESSION_ENDED);
    if (!SAFE_METHODS.has(request.method) && !isCsrfToken(request.headers['x-csrf-token'], token)) {
      throw new CsrfTokenInvalid();
    }
    if (!isOpenWithoutFactor && (await this.lacksFactor(token, known))) throw new SecondFactorRequired();
    this.noteUse(known.session);
    return callerOf(known, request.headers['herald-environment-id']);
  }

  /** Asks the store before it says yes: another process may have confirmed the codes. */
  private async lacksFactor(token: string, { user, session }: KnownSession): Promise<boolean> {
    if (!lacksTotp(this.demand, user, session)) return false;
    const now = await this.find(token);
    return now === undefined || lacksTotp(this.demand, now.user, now.session);
  }

  async find(token: string, isFresh = true): Promise<KnownSession | undefined> {
    const hash = hashOf(token);
    const known = (isFresh ? undefined : this.known.get(hash)) ?? (await this.load(hash));
    return known !== undefined && known.session.expiresAt > this.clock.now() ? known : undefined;
  }

  /** By the address of sign-ins, or by id. */
  async findUser(by: { readonly _id: string } | { readonly email: string }): Promise<User | undefined> {
    return (await this.users.findOne(by).lean().exec()) ?? undefined;
  }

  /** The same person in another of their environments, by the roles that the store has. @throws {EnvironmentClosed} */
  async callerIn(person: CallingPerson, environmentId: string): Promise<Caller> {
    const user = await this.findUser({ _id: person.userId });
    const membership = user?.memberships.find(({ _environmentId }) => _environmentId.toHexString() === environmentId);
    if (membership === undefined) throw new EnvironmentClosed(environmentId);
    return callerBy(membership, person);
  }

  /** The caller of a request that is under way, as the store has them now. @throws {Unauthorized} @throws {EnvironmentClosed} */
  private async still(person: CallingPerson, environmentId: string): Promise<Caller> {
    const session = await this.sessions.findById(person.sessionId).lean().exec();
    if (session === null || (await this.load(session.hash)) === undefined) throw new Unauthorized(SESSION_ENDED);
    return this.callerIn(person, environmentId);
  }

  async namesByIds(ids: readonly string[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids)].filter((id) => isObjectId(id));
    if (wanted.length === 0) return new Map();
    const rows = await this.users
      .find({ _id: { $in: wanted } }, { name: 1, email: 1 })
      .lean()
      .exec();
    return new Map(rows.map(({ _id, name, email }) => [_id.toHexString(), name || email]));
  }

  async list(userId: string): Promise<UserSession[]> {
    return this.sessions
      .find({ _userId: userId, expiresAt: { $gt: this.clock.now() } })
      .sort({ createdAt: -1, _id: -1 })
      .limit(100)
      .lean()
      .exec();
  }

  /** @throws {SessionNotFound} */
  async end(userId: string, sessionId: string): Promise<void> {
    const { deletedCount } = await this.sessions.deleteOne({ _id: sessionId, _userId: userId });
    this.known.clear();
    if (deletedCount === 0) throw new SessionNotFound(sessionId);
  }

  async endByToken(token: string): Promise<void> {
    await this.sessions.deleteOne({ hash: hashOf(token) });
    this.known.clear();
  }

  async endAll(userId: Types.ObjectId | string, except?: string): Promise<void> {
    await this.sessions.deleteMany({ _userId: userId, ...(except !== undefined && { _id: { $ne: except } }) });
    this.known.clear();
  }

  /**
   * Changes what somebody signs in with. Their sessions end with that write; removing them is for the lists only.
   * @param except this session goes on
   * @returns the changed person; undefined if nobody is as `where` says
   */
  async changeCredentials(where: QueryFilter<User>, change: object, except?: string): Promise<User | undefined> {
    const raised = { ...change, $inc: { credentialsVersion: 1 } };
    const user = await this.users.findOneAndUpdate(where, raised, { returnDocument: 'after' }).lean().exec();
    if (user === null) return undefined;
    await CREDENTIALS_CHANGED.pass();
    const { _id: _userId, credentialsVersion = 0 } = user;
    if (except !== undefined) {
      await this.sessions.updateOne({ _id: except, _userId }, { $max: { credentialsVersion } });
    }
    await this.sessions.deleteMany({ _userId, credentialsVersion: { $not: { $gte: credentialsVersion } } });
    this.known.clear();
    return user;
  }

  /** Who has no role in any environment any more leaves nothing behind. */
  async endAccountWithoutRole(userId: Types.ObjectId | string): Promise<void> {
    const { deletedCount } = await this.users.deleteOne({ _id: userId, memberships: { $size: 0 } });
    if (deletedCount > 0) await this.endAll(userId);
  }

  /** Who it was is kept for a while: the provider may have lost a group by mistake. */
  async takeAllRoles(userId: Types.ObjectId): Promise<void> {
    const expireAt = new Date(this.clock.now().getTime() + WITHOUT_ROLE_MS);
    const left = { memberships: [], networks: [], expireAt };
    await this.changeCredentials({ _id: userId }, { $set: left, $unset: CREDENTIAL_FIELDS });
  }

  /** After a change of somebody's rights. */
  forget(): void {
    this.known.clear();
  }

  private async load(hash: string): Promise<KnownSession | undefined> {
    const session = await this.sessions.findOne({ hash }).lean().exec();
    const user = session && (await this.users.findById(session._userId).lean().exec());
    if (session === null || user === null) return undefined;
    if ((session.credentialsVersion ?? 0) < (user.credentialsVersion ?? 0)) return undefined;
    const known = { session, user };
    this.known.set(hash, known);
    return known;
  }

  /** Not awaited and may fail: recording the use must not delay or refuse a request. */
  private noteUse(session: UserSession): void {
    const now = this.clock.now();
    if (now.getTime() - session.lastUsedAt.getTime() < LAST_USE_INTERVAL_MS) return;
    session.lastUsedAt = now;
    void this.sessions
      .updateOne({ _id: session._id }, { $set: { lastUsedAt: now } }, { timestamps: false })
      .exec()
      .catch(() => undefined);
  }
}

function callerOf({ session, user }: KnownSession, wanted: string | string[] | undefined): Caller {
  const { memberships } = user;
  const membership =
    wanted === undefined
      ? memberships[0]
      : memberships.find(({ _environmentId }) => _environmentId.toHexString() === wanted);
  if (membership === undefined) throw new EnvironmentClosed(String(wanted ?? 'any'));
  const userId = user._id.toHexString();
  const sessionId = session._id.toHexString();
  return callerBy(membership, { userId, sessionId, email: user.email, name: user.name });
}

function callerBy({ _organizationId, _environmentId, role }: Membership, person: CallingPerson): Caller {
  return {
    organizationId: _organizationId.toHexString(),
    environmentId: _environmentId.toHexString(),
    userId: person.userId,
    // Records name who changed them.
    apiKeyId: person.userId,
    scopes: scopesOf(role),
    person,
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
