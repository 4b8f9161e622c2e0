import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import type { CallingSubscriber } from '#libs/http-kit';
import { ApiKeysService } from '../auth/index.js';
import { EnvironmentsService } from '../environments/index.js';
import { IntegrationsService } from '../integrations/index.js';
import {
  type ResolvedSubscriber,
  type SubscriberDefinition,
  SubscribersService,
  SubscriberSummaries,
} from '../subscribers/index.js';
import { SessionTokens } from './session-tokens.js';
import { HmacInvalid, InAppInactive, SessionInvalid, UnknownApplication } from './sessions.errors.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface SubscriberSession extends Owner {
  readonly subscriber: CallingSubscriber;
}

export interface SessionRequest {
  /** Public identifier of the environment. */
  readonly applicationIdentifier: string;
  /** Who the caller claims to be, with the profile that the caller sends. */
  readonly subscriber: SubscriberDefinition;
  /** HMAC of the subscriber's external id. */
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
   * Creates a session of a subscriber, who is created if there is none.
   * @throws {UnknownApplication} @throws {InAppInactive} @throws {HmacInvalid}
   */
  async open({ applicationIdentifier, subscriber: sent, hmac }: SessionRequest): Promise<OpenedSession> {
    const owner = await this.environments.findByIdentifier(applicationIdentifier);
    if (owner === undefined) throw new UnknownApplication();
    if (!(await this.integrations.hasActive(owner, 'in_app'))) throw new InAppInactive();
    const subscriber = await this.upsert(owner, sent, await this.isProven(owner, sent.subscriberId, hmac ?? ''));
    const { _id, subscriberId, firstName, lastName, email } = subscriber;
    const token = await this.tokens.sign({ _id, subscriberId, firstName, lastName, email, ...owner });
    return { token, subscriber, ...owner };
  }

  /** @throws {SessionInvalid} unless the token is valid and its subscriber exists; deletions count within a second */
  async authenticate(token: string): Promise<SubscriberSession> {
    const claims = await this.tokens.verify(token);
    if (claims === undefined) throw new SessionInvalid();
    const { _id: id, subscriberId, organizationId, environmentId, expiresAt } = claims;
    const found = await this.summaries.find({ environmentId }, subscriberId);
    if (found?._id.toHexString() !== id) throw new SessionInvalid();
    return { subscriber: { id, subscriberId, expiresAt }, organizationId, environmentId };
  }

  /** Whether the caller knows the HMAC of the subscriber. @throws {HmacInvalid} if not, and the integration demands it */
  private async isProven(owner: Owner, subscriberId: string, hmac: string): Promise<boolean> {
    const integrations = await this.integrations.candidates(owner, 'in_app');
    // Credentials that cannot be read may demand it.
    const isDemanded = integrations.some(
      ({ credentials, credentialsError }) => credentials['hmac'] === true || credentialsError !== undefined,
    );
    const isProven = hmac !== '' && isHmacOf(subscriberId, await this.apiKeys.revealOldest(owner.environmentId), hmac);
    if (isDemanded && !isProven) throw new HmacInvalid();
    return isProven;
  }

  /** Without an HMAC, anyone can name any subscriber: the profile of an existing one, addresses included, then stays. */
  private async upsert(owner: Owner, sent: SubscriberDefinition, isProven: boolean): Promise<ResolvedSubscriber> {
    if (!isProven) return this.subscribers.createIfAbsent(owner, sent);
    const tenant = { ...owner, userId: '', apiKeyId: '' };
    const subscriber = (await this.subscribers.upsertMany(tenant, [sent])).get(sent.subscriberId);
    if (subscriber === undefined) throw new SessionInvalid();
    return subscriber;
  }
}

function isHmacOf(text: string, key: string | undefined, given: string): boolean {
  if (key === undefined) return false;
  const expected = Buffer.from(createHmac('sha256', key).update(text).digest('hex'));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
