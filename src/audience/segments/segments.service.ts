import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock, type TenantContext } from '#libs/common';
import type { ConditionGroup } from '#libs/conditions';
import { Page, type PageQuery, shown } from '#libs/http-kit';
import { NEWEST_FIRST, onDuplicateKey, ownedBy, partialUpdate, softDeleted, type TenantModel } from '#libs/persistence';
import { type SubscriberPage, SubscriberSelection } from '../subscribers/index.js';
import type { CreateSegmentDto, UpdateSegmentDto } from './segment.dto.js';
import { SegmentPreviewResponse, type SegmentResponse, showSegment } from './segment.response.js';
import { Segment } from './segment.schema.js';
import { storeFilter } from './segment-filter.js';
import { SegmentAlreadyExists, SegmentNotFound } from './segments.errors.js';

const PREVIEWED = 10;

/** A segment as an event keeps it: later changes do not change whom the event is for. */
export interface MeantSegment {
  readonly segmentId: string;
  readonly conditions: ConditionGroup[];
}

@Injectable()
export class SegmentsService {
  constructor(
    @InjectModel(Segment.name) private readonly segments: TenantModel<Segment>,
    private readonly subscribers: SubscriberSelection,
    private readonly clock: Clock,
  ) {}

  async create(tenant: TenantContext, { segmentId, name, conditions }: CreateSegmentDto): Promise<SegmentResponse> {
    const row = await this.segments.create({ ...ownedBy(tenant), segmentId, name, conditions }).catch(
      onDuplicateKey(() => {
        throw new SegmentAlreadyExists(segmentId);
      }),
    );
    return showSegment(row.toObject());
  }

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<SegmentResponse>> {
    const { rows, hasMore } = await this.segments.page(tenant, {}, { ...query, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => showSegment(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  /** @throws {SegmentNotFound} */
  async get(tenant: TenantContext, segmentId: string): Promise<SegmentResponse> {
    const row = await this.segments.one(tenant, { segmentId });
    if (row === undefined) throw new SegmentNotFound(segmentId);
    return showSegment(row);
  }

  /** @throws {SegmentNotFound} */
  async update(tenant: TenantContext, segmentId: string, dto: UpdateSegmentDto): Promise<SegmentResponse> {
    const row = await this.segments
      .findOneAndUpdate(
        { _environmentId: tenant.environmentId, segmentId },
        partialUpdate(dto, ['name', 'conditions']),
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    if (row === null) throw new SegmentNotFound(segmentId);
    return showSegment(row);
  }

  /** @throws {SegmentNotFound} */
  async remove(tenant: TenantContext, segmentId: string): Promise<void> {
    const { matchedCount } = await this.segments.updateOne(
      { _environmentId: tenant.environmentId, segmentId },
      softDeleted(tenant.apiKeyId, new Date()),
    );
    if (matchedCount === 0) throw new SegmentNotFound(segmentId);
  }

  /** @throws {SegmentNotFound} */
  async previewOf(tenant: TenantContext, segmentId: string): Promise<SegmentPreviewResponse> {
    return this.preview(tenant, (await this.get(tenant, segmentId)).conditions);
  }

  async preview(tenant: TenantContext, conditions: readonly ConditionGroup[]): Promise<SegmentPreviewResponse> {
    const filter = storeFilter(conditions, this.clock.now());
    const counted = await this.subscribers.count(tenant, filter);
    const first = await this.subscribers.first(tenant, filter, PREVIEWED);
    return shown(SegmentPreviewResponse, { ...counted, subscribers: first });
  }

  /** Those of the ids that exist, by id. */
  async findExisting(
    tenant: Pick<TenantContext, 'environmentId'>,
    ids: readonly string[],
  ): Promise<Map<string, MeantSegment>> {
    if (ids.length === 0) return new Map();
    const rows = await this.segments.list(tenant, { segmentId: { $in: [...ids] } });
    return new Map(rows.map(({ segmentId, conditions }) => [segmentId, { segmentId, conditions }]));
  }

  /** Subscribers of any of the segments, each once, in the order of record ids. @param options.at when the event was accepted */
  read(
    tenant: Pick<TenantContext, 'environmentId'>,
    segments: readonly MeantSegment[],
    { at, ...window }: { readonly at: Date; readonly after?: string; readonly limit: number },
  ): Promise<SubscriberPage> {
    return this.subscribers.page(
      tenant,
      { $or: segments.map(({ conditions }) => storeFilter(conditions, at)) },
      window,
    );
  }

  /** How many each of the segments has, by id. */
  async countEach(
    tenant: Pick<TenantContext, 'environmentId'>,
    segments: readonly MeantSegment[],
  ): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const segment of segments) {
      const { count } = await this.subscribers.count(tenant, storeFilter(segment.conditions, this.clock.now()));
      counts.set(segment.segmentId, count);
    }
    return counts;
  }
}
