import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { OLDEST_FIRST, onDuplicateKey, ownedBy, ReferenceGuard, type TenantModel } from '#libs/persistence';
import { type DefinitionChange, definitionChange, isChange, type TenantContext } from '#libs/common';
import type { CreateFeedDto } from './feed.dto.js';
import { type FeedResponse, showFeed } from './feed.response.js';
import { Feed } from './feed.schema.js';
import { FeedAlreadyExists, FeedInUse, FeedNotFound } from './feeds.errors.js';

@Injectable()
export class FeedsService {
  constructor(
    @InjectModel(Feed.name) private readonly feeds: TenantModel<Feed>,
    private readonly references: ReferenceGuard,
  ) {}

  async create(tenant: TenantContext, { name }: CreateFeedDto): Promise<FeedResponse> {
    const feed = await this.feeds.create({ ...ownedBy(tenant), name, identifier: name }).catch(
      onDuplicateKey(() => {
        throw new FeedAlreadyExists(name);
      }),
    );
    return showFeed(feed.toObject());
  }

  async list(tenant: TenantContext): Promise<FeedResponse[]> {
    const rows = await this.feeds.list(tenant, {}, { sort: OLDEST_FIRST });
    return rows.map((row) => showFeed(row));
  }

  async findExistingIds(tenant: TenantContext, ids: readonly string[]): Promise<Set<string>> {
    return new Set((await this.feeds.byIds(tenant, ids, { fields: ['_id'] })).keys());
  }

  async idsOf(tenant: Pick<TenantContext, 'environmentId'>, identifiers: readonly string[]): Promise<Types.ObjectId[]> {
    const rows = await this.feeds.list(tenant, { identifier: { $in: identifiers } }, { fields: ['_id'] });
    return rows.map(({ _id }) => _id);
  }

  async identifiersByIds(tenant: TenantContext, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.feeds.byIds(tenant, ids, { fields: ['_id', 'identifier'] });
    return new Map([...rows].map(([id, { identifier }]) => [id, identifier]));
  }

  async idsByIdentifiers(tenant: TenantContext, identifiers: readonly string[]): Promise<Map<string, string>> {
    const where = { identifier: { $in: [...identifiers] } };
    const rows = await this.feeds.list(tenant, where, { fields: ['_id', 'identifier'] });
    return new Map(rows.map(({ _id, identifier }) => [identifier, _id.toHexString()]));
  }

  /** @param isDryRun only reports what would happen */
  async define(
    tenant: TenantContext,
    { name }: CreateFeedDto,
    isDryRun: boolean,
  ): Promise<DefinitionChange<CreateFeedDto>> {
    const [existing] = await this.idsOf(tenant, [name]);
    const change = definitionChange(existing === undefined ? null : { name }, { name });
    if (!isChange(change, isDryRun)) return change;
    return this.feeds.create({ ...ownedBy(tenant), name, identifier: name }).then(
      () => change,
      onDuplicateKey(() => definitionChange({ name }, { name })),
    );
  }

  /** @returns the remaining feeds */
  async remove(tenant: TenantContext, id: string): Promise<FeedResponse[]> {
    const result = await this.references.deleteUnused('feed', tenant, this.feeds, id);
    if (result === 'in_use') throw new FeedInUse(id);
    if (result === 'missing') throw new FeedNotFound(id);
    return this.list(tenant);
  }
}
