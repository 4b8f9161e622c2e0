import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import type { CallingSubscriber } from '#libs/http-kit';
import { ApiKeysService } from '../../platform/auth/index.js';
import { type EnvironmentSessions, EnvironmentsService } from '../../platform/environments/index.js';
import { IntegrationsService } from '../../channels/integrations/index.js';
import {
  type ResolvedSubscriber,
  type SubscriberDefinition,
  SubscribersService,
  SubscriberSummaries,
  type SubscriberSummary,
} from '../../audience/subscribers/index.js';
import { SessionTokens, type VerifiedClaims } from './session-tokens.js';
import { HmacInvalid, InAppInactive, SessionInvalid, UnknownApplication } from './sessions.errors.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface SubscriberSession extends Owner {
  readonly subscriber: CallingSubscriber;
}

export interface SessionRequest {
  /** Public identifier of the environment. */
  readonly applicationIdentifier: string;
  /** As claimed by the caller. */
  readonly subscriber: SubscriberDefinition;
  /** HMAC of the external id. */
  readonly hmac: string | null | undefined;
}

export interface OpenedSession extends Owner {
  readonly token: string;
  readonly subscriber: ResolvedSubscriber;
}

@Injectable()
export class SubscriberSessionsService {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly integrations: IntegrationsService,
    private readonly apiKeys: ApiKeysService,
    private readonly subscribers: SubscribersService,
    private readonly summaries: SubscriberSummaries,
    private readonly tokens: SessionTokens,
  ) {}

  /**
   * With an HMAC, creates or updates the subscriber. Without one, anyone can name any subscriber: nothing sent is
   * stored or shown, and a new id is known to sessions only.
   */
  async open({ applicationIdentifier, subscriber: sent, hmac }: SessionRequest): Promise<OpenedSession> {
    const environment = await this.environments.findByIdentifier(applicationIdentifier);
    if (environment === undefined) throw new UnknownApplication();
    const { organizationId, environmentId } = environment;
    const owner = { organizationId, environmentId };
    if (!(await this.integrations.hasActive(owner, 'in_app'))) throw new InAppInactive();
    const isProven = await this.isProven(environment, sent.subscriberId, hmac ?? '');
    const subscriber = isProven
      ? await this.upsert(owner, sent)
      : await this.subscribers.forSession(owner, sent.subscriberId);
    const { _id, subscriberId } = subscriber;
    const { sessionEpoch = 0 } = await this.summaries.fresh(owner, subscriberId);
    const epochs = [sessionEpoch, environment.sessionEpoch] as const;
    const token = await this.tokens.sign({ _id, subscriberId, ...owner, ...(hasEnded(epochs) && { epochs }) });
    return { token, subscriber: isProven ? subscriber : namedOnly(subscriber), ...owner };
  }

  /**
   * Deletions and ends by other processes count within a second.
   * @throws {SessionInvalid} unless the token is valid, its subscriber exists, and its session was not ended
   */
  async authenticate(token: string): Promise<SubscriberSession> {
    const claims = await this.tokens.verify(token);
    if (claims === undefined) throw new SessionInvalid();
    return this.resume(claims);
  }

  /** For a token that was verified before. */
  async resume(claims: VerifiedClaims): Promise<SubscriberSession> {
    const { _id: id, subscriberId, organizationId, environmentId, expiresAt, epochs } = claims;
    const [found, environment] = await Promise.all([
      this.summaries.find({ environmentId }, subscriberId),
      this.environments.sessionsOf(environmentId),
    ]);
    if (found?._id.toHexString() !== id || expiresAt <= this.tokens.now()) throw new SessionInvalid();
    if (!isCurrent(epochs, found, environment)) throw new SessionInvalid();
    return { subscriber: { id, subscriberId, expiresAt, ...(epochs && { epochs }) }, organizationId, environmentId };
  }

  /** Includes sessions of deleted subscribers. One query per environment. */
  async endedAmong(sessions: readonly SubscriberSession[]): Promise<Set<SubscriberSession>> {
    const ended = new Set<SubscriberSession>();
    const environments = new Set(sessions.map(({ environmentId }) => environmentId));
    for (const environmentId of environments) {
      const own = sessions.filter((session) => session.environmentId === environmentId);
      const environment = await this.environments.sessionsOf(environmentId);
      const found = await this.summaries.byIds(
        { environmentId },
        own.map(({ subscriber }) => subscriber.id),
      );
      for (const session of own) {
        const known = found.get(session.subscriber.id);
        if (known === undefined || !isCurrent(session.subscriber.epochs, known, environment)) ended.add(session);
      }
    }
    return ended;
  }

  /** @throws {HmacInvalid} if the HMAC is wrong, or missing although required */
  private async isProven(environment: EnvironmentSessions, subscriberId: string, hmac: string): Promise<boolean> {
    const integrations = await this.integrations.candidates(environment, 'in_app');
    // Unreadable credentials may require it.
    const isDemanded =
      integrations.some(
        ({ credentials, credentialsError }) => credentials['hmac'] === true || credentialsError !== undefined,
      ) ||
      (environment.demandsHmac && !integrations.some(({ credentials }) => credentials['hmac'] === false));
    const key = hmac === '' ? undefined : await this.apiKeys.revealOldest(environment.environmentId);
    const isProven = isHmacOf(subscriberId, key, hmac);
    if (isDemanded && !isProven) throw new HmacInvalid();
    return isProven;
  }

  private async upsert(owner: Owner, sent: SubscriberDefinition): Promise<ResolvedSubscriber> {
    const tenant = { ...owner, userId: '', apiKeyId: '' };
    const subscriber = (await this.subscribers.upsertMany(tenant, [sent])).get(sent.subscriberId);
    if (subscriber === undefined) throw new SessionInvalid();
    return subscriber;
  }
}

type Epochs = CallingSubscriber['epochs'];

function isCurrent(
  [subscriber, environment]: NonNullable<Epochs> = [0, 0],
  { sessionEpoch = 0 }: Pick<SubscriberSummary, 'sessionEpoch'>,
  current: EnvironmentSessions | undefined,
): boolean {
  return subscriber === sessionEpoch && environment === current?.sessionEpoch;
}

function hasEnded(epochs: readonly number[]): boolean {
  return epochs.some((epoch) => epoch > 0);
}

/** Limits what a caller without proof learns of the subscriber. */
function namedOnly({ _id, subscriberId }: ResolvedSubscriber): ResolvedSubscriber {
  return { _id, subscriberId, channels: [], badAddresses: {} };
}

function isHmacOf(text: string, key: string | undefined, given: string): boolean {
  if (key === undefined) return false;
  const expected = Buffer.from(createHmac('sha256', key).update(text).digest('hex'));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
