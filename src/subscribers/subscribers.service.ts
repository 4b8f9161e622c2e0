import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { UpdateQuery } from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { Page } from '#libs/http-kit';
import { softDeleted, type TenantModel, withoutNullish } from '#libs/persistence';
import {
  type BulkResultResponse,
  type DeleteSubscriberResponse,
  showSubscriber,
  type SubscriberResponse,
} from './subscriber.response.js';
import type {
  ChannelCredentialsDto,
  CreateSubscriberDto,
  ListSubscribersQuery,
  OnlineStatusDto,
  UpdateSubscriberDto,
} from './subscriber.dto.js';
import { type AddressChannel, type BadAddress, type ResolvedSubscriber, toResolved } from './resolved-subscriber.js';
import { BulkUpserts } from './bulk-upserts.js';
import type { TokenMode } from './credentials-pipeline.js';
import { SubscriberCredentialsService } from './subscriber-credentials.service.js';
import { listPage } from './subscriber-search.js';
import { profileUpdate, type SubscriberDefinition, upsertOf, wouldChange } from './subscriber-updates.js';
import { toUpsertWrite, upsertOne, writeInOrder } from './subscriber-writes.js';
import { Subscriber } from './subscriber.schema.js';
import { NoActiveIntegration, SubscriberNotFound } from './subscribers.errors.js';
import { SubscriberDeleted } from './subscribers.events.js';

/** A subscriber's two ids. */
export interface SubscriberIds {
  /** 24-hex record id. */
  readonly _id: string;
  readonly subscriberId: string;
}

@Injectable()
export class SubscribersService {
  constructor(
    @InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>,
    private readonly credentials: SubscriberCredentialsService,
    private readonly bulk: BulkUpserts,
    private readonly events: EventBus,
  ) {}

  /** Creates or updates by `subscriberId`; a deleted one is revived. @throws {NoActiveIntegration} */
  async create(tenant: TenantContext, dto: CreateSubscriberDto): Promise<SubscriberResponse> {
    const { entries, missing } = await this.credentials.link(tenant, dto.channels ?? []);
    if (missing.length > 0) throw new NoActiveIntegration(missing);
    const row = await upsertOne(this.subscribers, upsertOf(tenant, dto, new Date()));
    if (entries.length === 0) return showSubscriber(row);
    return showSubscriber(await this.credentials.merge(tenant, dto.subscriberId, entries, 'append'));
  }

  /** Creates or updates many; says of each what became of it. */
  createMany(tenant: TenantContext, dtos: readonly CreateSubscriberDto[]): Promise<BulkResultResponse> {
    return this.bulk.run(tenant, dtos);
  }

  async list(tenant: TenantContext, query: ListSubscribersQuery): Promise<Page<SubscriberResponse>> {
    const { rows, hasMore } = await listPage(this.subscribers, tenant.environmentId, query);
    return new Page(
      rows.map((row) => showSubscriber(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  /** @throws {SubscriberNotFound} */
  async get(tenant: TenantContext, subscriberId: string): Promise<SubscriberResponse> {
    const row = await this.subscribers.findOne(byExternalId(tenant, subscriberId)).lean().exec();
    if (row === null) throw new SubscriberNotFound(subscriberId);
    return showSubscriber(row);
  }

  /** @throws {SubscriberNotFound} */
  update(tenant: TenantContext, subscriberId: string, dto: UpdateSubscriberDto): Promise<SubscriberResponse> {
    return this.change(tenant, subscriberId, profileUpdate(dto));
  }

  /** Going offline leaves the time. @throws {SubscriberNotFound} */
  setOnline(tenant: TenantContext, subscriberId: string, dto: OnlineStatusDto): Promise<SubscriberResponse> {
    const isOnline = dto.online ?? dto.isOnline ?? false;
    return this.change(tenant, subscriberId, { $set: { isOnline, ...(!isOnline && { lastOnlineAt: new Date() }) } });
  }

  /** Deletes softly. What the subscriber was reached with is dropped for good. @throws {SubscriberNotFound} */
  async remove(tenant: TenantContext, subscriberId: string): Promise<DeleteSubscriberResponse> {
    const { $set } = softDeleted(tenant.apiKeyId, new Date());
    const row = await this.subscribers
      .findOneAndUpdate(byExternalId(tenant, subscriberId), {
        $set: { ...$set, channels: [] },
        $unset: { addressStates: 1, isOnline: 1, lastOnlineAt: 1 },
      })
      .lean()
      .exec();
    if (row === null) throw new SubscriberNotFound(subscriberId);
    await this.events.publish(new SubscriberDeleted(tenant, subscriberId, row._id.toHexString()));
    return { acknowledged: true, status: 'deleted' };
  }

  /** @param mode whether device tokens replace the stored ones. @throws {SubscriberNotFound} @throws {NoActiveIntegration} */
  setCredentials(
    tenant: TenantContext,
    subscriberId: string,
    dto: ChannelCredentialsDto,
    mode: TokenMode,
  ): Promise<SubscriberResponse> {
    return this.credentials.set(tenant, subscriberId, dto, mode);
  }

  /** Removes all credentials of a provider. @throws {SubscriberNotFound} */
  removeCredentials(tenant: TenantContext, subscriberId: string, providerId: string): Promise<void> {
    return this.credentials.remove(tenant, subscriberId, providerId);
  }

  /** Takes device tokens away that a provider called dead. */
  removeDeviceTokens(
    tenant: TenantContext,
    subscriberId: string,
    providerId: string,
    tokens: readonly string[],
  ): Promise<void> {
    return this.credentials.removeDeviceTokens(tenant, subscriberId, providerId, tokens);
  }

  /**
   * Notes that an address will never work. A new address of the subscriber starts without a state.
   * @param state with the address that it is about: nothing is noted if the subscriber has another one by now
   */
  async setAddressState(
    tenant: Pick<TenantContext, 'environmentId'>,
    subscriberId: string,
    channel: AddressChannel,
    { address, reason, since }: BadAddress & { readonly address: string },
  ): Promise<void> {
    const field = channel === 'email' ? 'email' : 'phone';
    await this.subscribers.updateOne(
      { ...byExternalId(tenant, subscriberId), [field]: address },
      { $set: { [`addressStates.${channel}`]: { address, reason, since } } },
    );
  }

  /** Lets an address be used again. @throws {SubscriberNotFound} */
  async clearAddressState(tenant: TenantContext, subscriberId: string, channel: AddressChannel): Promise<void> {
    await this.change(tenant, subscriberId, { $unset: { [`addressStates.${channel}`]: 1 } });
  }

  /** The subscribers among these external ids, by external id, with one query. */
  async findByExternalIds(
    tenant: Pick<TenantContext, 'environmentId'>,
    subscriberIds: readonly string[],
  ): Promise<Map<string, ResolvedSubscriber>> {
    if (subscriberIds.length === 0) return new Map();
    const rows = await this.subscribers
      .find({ _environmentId: tenant.environmentId, subscriberId: { $in: [...subscriberIds] } })
      .lean()
      .exec();
    return new Map(rows.map((row) => [row.subscriberId, toResolved(row)]));
  }

  /** The subscribers among these record ids, by record id, with one query. */
  async findByIds(
    tenant: Pick<TenantContext, 'environmentId'>,
    ids: readonly string[],
  ): Promise<Map<string, ResolvedSubscriber>> {
    const rows = await this.rowsOf(tenant, ids);
    return new Map(rows.map((row) => [row._id.toHexString(), toResolved(row)]));
  }

  /** As `findByIds`, the way that answers show them. */
  async showByIds(tenant: TenantContext, ids: readonly string[]): Promise<Map<string, SubscriberResponse>> {
    const rows = await this.rowsOf(tenant, ids);
    return new Map(rows.map((row) => [row._id.toHexString(), showSubscriber(row)]));
  }

  /** A subscriber by record id. */
  async findById(tenant: Pick<TenantContext, 'environmentId'>, id: string): Promise<ResolvedSubscriber | undefined> {
    return (await this.findByIds(tenant, [id])).get(id);
  }

  /**
   * Creates or updates the recipients that a trigger describes and returns all of them, by external id. Absent and null
   * fields erase nothing, and a recipient that is as described already costs no write.
   */
  async upsertMany(
    tenant: TenantContext,
    definitions: readonly SubscriberDefinition[],
  ): Promise<Map<string, ResolvedSubscriber>> {
    const found = await this.findByExternalIds(tenant, [
      ...new Set(definitions.map(({ subscriberId }) => subscriberId)),
    ]);
    const changed = definitions.filter((definition) => {
      const existing = found.get(definition.subscriberId);
      return existing === undefined || wouldChange(existing, definition);
    });
    if (changed.length === 0) return found;
    const now = new Date();
    const writes = changed.map((definition) => toUpsertWrite(upsertOf(tenant, withoutNullish(definition), now)));
    await writeInOrder(this.subscribers, writes);
    const fresh = await this.findByExternalIds(tenant, [...new Set(changed.map(({ subscriberId }) => subscriberId))]);
    return new Map([...found, ...fresh]);
  }

  /**
   * One batch of the environment's subscribers in the order of their record ids, for broadcasts.
   * @param after the last record id of the batch before
   */
  async streamIds(
    tenant: Pick<TenantContext, 'environmentId'>,
    { after, batch }: { after?: string; batch: number },
  ): Promise<SubscriberIds[]> {
    const rows = await this.subscribers
      .find(
        { _environmentId: tenant.environmentId, ...(after !== undefined && { _id: { $gt: after } }) },
        { subscriberId: 1 },
      )
      .sort({ _id: 1 })
      .limit(batch)
      .lean()
      .exec();
    return rows.map(({ _id, subscriberId }) => ({ _id: _id.toHexString(), subscriberId }));
  }

  private async rowsOf(
    { environmentId }: Pick<TenantContext, 'environmentId'>,
    ids: readonly string[],
  ): Promise<Subscriber[]> {
    if (ids.length === 0) return [];
    return this.subscribers
      .find({ _environmentId: environmentId, _id: { $in: [...ids] } })
      .lean()
      .exec();
  }

  private async change(
    tenant: TenantContext,
    subscriberId: string,
    update: UpdateQuery<Subscriber>,
  ): Promise<SubscriberResponse> {
    const row = await this.subscribers
      .findOneAndUpdate(byExternalId(tenant, subscriberId), update, { returnDocument: 'after' })
      .lean()
      .exec();
    if (row === null) throw new SubscriberNotFound(subscriberId);
    return showSubscriber(row);
  }
}

function byExternalId(
  { environmentId }: Pick<TenantContext, 'environmentId'>,
  subscriberId: string,
): { _environmentId: string; subscriberId: string } {
  return { _environmentId: environmentId, subscriberId };
}
