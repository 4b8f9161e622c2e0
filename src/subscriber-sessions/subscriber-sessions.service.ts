import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import type { CallingSubscriber } from '#libs/http-kit';
import { ApiKeysService } from '../auth/index.js';
import { EnvironmentsService } from '../environments/index.js';
import { IntegrationsService } from '../integrations/index.js';
import { type ResolvedSubscriber, SubscribersService, SubscriberSummaries } from '../subscribers/index.js';
import type { InitializeSessionDto } from './session.dto.js';
import { type SessionResponse, showSession } from './session.response.js';
import { SessionTokens } from './session-tokens.js';
import { HmacInvalid, InAppInactive, SessionInvalid, UnknownApplication } from './sessions.errors.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface SubscriberSession extends Owner {
  readonly subscriber: CallingSubscriber;
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
  async initialize(dto: InitializeSessionDto): Promise<SessionResponse> {
    const owner = await this.environments.findByIdentifier(dto.applicationIdentifier);
    if (owner === undefined) throw new UnknownApplication();
    if (!(await this.integrations.hasActive(owner, 'in_app'))) throw new InAppInactive();
    const subscriber = await this.upsert(owner, dto, await this.isProven(owner, dto));
    const { _id, subscriberId, firstName, lastName, email } = subscriber;
    const token = await this.tokens.sign({ _id, subscriberId, firstName, lastName, email, ...owner });
    return showSession(token, subscriber);
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
  private async isProven(owner: Owner, { subscriberId, hmacHash }: InitializeSessionDto): Promise<boolean> {
    const integrations = await this.integrations.candidates(owner, 'in_app');
    // Credentials that cannot be read may demand it.
    const isDemanded = integrations.some(
      ({ credentials, credentialsError }) => credentials['hmac'] === true || credentialsError !== undefined,
    );
    const isProven = Boolean(hmacHash) && isHmacOf(subscriberId, await this.hmacKey(owner), hmacHash ?? '');
    if (isDemanded && !isProven) throw new HmacInvalid();
    return isProven;
  }

  /** The oldest API key; undefined if it cannot be read. */
  private async hmacKey({ environmentId }: Owner): Promise<string | undefined> {
    const [oldest] = await this.apiKeys.reveal(environmentId);
    return oldest?.key || undefined;
  }

  /** Without an HMAC, anyone can name any subscriber: the profile of an existing one, addresses included, then stays. */
  private async upsert(owner: Owner, dto: InitializeSessionDto, isProven: boolean): Promise<ResolvedSubscriber> {
    const { subscriberId, firstName, lastName, email, phone } = dto;
    const known = (await this.subscribers.findByExternalIds(owner, [subscriberId])).get(subscriberId);
    if (known !== undefined && !isProven) return known;
    const tenant = { ...owner, userId: '', apiKeyId: '' };
    const definition = { subscriberId, firstName, lastName, email, phone };
    const subscriber = (await this.subscribers.upsertMany(tenant, [definition])).get(subscriberId);
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
