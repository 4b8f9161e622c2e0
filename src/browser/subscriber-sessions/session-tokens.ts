import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { errors, jwtVerify, SignJWT } from 'jose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { readOrCreateSecretFile } from '#libs/secrets';

/** File in DATA_DIR. */
const SECRET_FILE = 'session-secret';
const ALGORITHM = 'HS256';
/** Issuer and audience of the compatible system. */
const ISSUER = 'novu_api';
const AUDIENCE = 'widget_user';
const DAY_SECONDS = 86_400;

/** Ids only, because tokens end up in logs. */
export interface SessionClaims {
  /** Record id of the subscriber. */
  readonly _id: string;
  readonly subscriberId: string;
  readonly organizationId: string;
  readonly environmentId: string;
  /** How often sessions had been ended when the token was issued; absent: never. */
  readonly epochs?: readonly [subscriber: number, environment: number];
}

export interface VerifiedClaims extends SessionClaims {
  readonly expiresAt: Date;
}

interface SigningKeys {
  readonly currentId: string;
  readonly byId: ReadonlyMap<string, KeyObject>;
}

/** Uses SESSION_SECRET, or a secret generated into DATA_DIR. */
@Injectable()
export class SessionTokens {
  private keys: SigningKeys | undefined;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  sign(claims: SessionClaims): Promise<string> {
    const { currentId, byId } = this.signingKeys();
    const issuedAt = Math.floor(this.clock.now().getTime() / 1_000);
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: currentId })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.config.get('SESSION_DAYS') * DAY_SECONDS)
      .sign(byId.get(currentId) as KeyObject);
  }

  /** Undefined for an invalid token. */
  async verify(token: string): Promise<VerifiedClaims | undefined> {
    const { byId } = this.signingKeys();
    const keyOf = ({ kid = '' }: { kid?: string }): KeyObject => {
      const key = byId.get(kid);
      if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
      return key;
    };
    try {
      const { payload } = await jwtVerify<SessionClaims>(token, keyOf, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', '_id', 'subscriberId', 'organizationId', 'environmentId'],
        currentDate: this.clock.now(),
      });
      return { ...payload, expiresAt: new Date((payload.exp ?? 0) * 1_000) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Read at first use, so that processes without sessions generate no secret. */
  private signingKeys(): SigningKeys {
    return (this.keys ??= toKeys([
      this.config.get('SESSION_SECRET') ?? readOrCreateSecretFile(this.config.get('DATA_DIR'), SECRET_FILE).value,
      ...this.config.get('SESSION_OLD_SECRETS'),
    ]));
  }
}

/** @param secrets the current secret first */
function toKeys(secrets: readonly string[]): SigningKeys {
  const keys = secrets.map((secret): [string, KeyObject] => {
    const key = createHash('sha256').update(`herald-session:${secret}`).digest();
    return [createHash('sha256').update(key).digest('hex').slice(0, 8), createSecretKey(key)];
  });
  return { currentId: keys[0]?.[0] ?? '', byId: new Map(keys) };
}
