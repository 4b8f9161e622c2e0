import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { CHANNELS } from '#libs/channels';
import { Clock, type TenantContext } from '#libs/common';
import { shown } from '#libs/http-kit';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { DeliveryQueues } from '../../engine/delivery/index.js';
import type { Period } from './activity.dto.js';
import {
  BACKLOG_LANES,
  type BacklogLane,
  DeliveryBacklogResponse,
  DeliveryHealthResponse,
  DeliveryPointResponse,
  ProviderHealthResponse,
} from './activity.response.js';
import { BUCKET_MS, type BucketCounts, DeliveryBucket } from './delivery-bucket.schema.js';
import { DeliveryRecorder } from './delivery-recorder.js';
import { addTimes, noTimes, percentileMs } from './send-times.js';

const HOUR_MS = 3_600_000;
/** The current step included. */
const STEPS: Readonly<Record<Period, { readonly ms: number; readonly count: number }>> = {
  hour: { ms: BUCKET_MS, count: 12 },
  day: { ms: HOUR_MS, count: 24 },
};

type Counts = Pick<BucketCounts, 'sent' | 'failed' | 'retried' | 'dead'>;

const SHOWN_FIELDS = ['at', 'channel', 'providerId', 'sent', 'failed', 'retried', 'dead', 'times'] as const;
type Row = Pick<DeliveryBucket, (typeof SHOWN_FIELDS)[number]>;

@Injectable()
export class DeliveryHealthService {
  constructor(
    @InjectModel(DeliveryBucket.name) private readonly buckets: TenantModel<DeliveryBucket>,
    private readonly recorder: DeliveryRecorder,
    private readonly queues: DeliveryQueues,
    private readonly clock: Clock,
  ) {}

  /** Other processes' counts may be up to two seconds late. */
  async get(tenant: TenantContext, period: Period): Promise<DeliveryHealthResponse> {
    await this.recorder.flush();
    const to = this.clock.now();
    const { ms, count } = STEPS[period];
    const from = new Date((Math.floor(to.getTime() / ms) - count + 1) * ms);
    const before = new Date(from.getTime() - count * ms);
    const [rows, backlog] = await Promise.all([
      this.buckets.list(tenant, { at: { $gte: before } }, { fields: SHOWN_FIELDS }),
      this.backlog(tenant, to),
    ]);
    const providers = [...byProvider(rows).values()]
      .filter((own) => own.some(({ at }) => at >= from))
      .map((own) => showProvider(own, from, period))
      .sort(inOrder);
    return shown(DeliveryHealthResponse, { period, from, to, providers, backlog });
  }

  /** What is due, by lane. */
  backlog(tenant: TenantContext, now = this.clock.now()): Promise<DeliveryBacklogResponse[]> {
    return Promise.all(BACKLOG_LANES.map((lane) => this.backlogOf(tenant, lane, now)));
  }

  private async backlogOf(
    { environmentId }: TenantContext,
    lane: BacklogLane,
    now: Date,
  ): Promise<DeliveryBacklogResponse> {
    const queue = lane === 'expand' ? this.queues.events : this.queues.notifications;
    const { due, claimed, suspected, oldestMs } = await queue.backlog({
      lane,
      _environmentId: toObjectId(environmentId),
    });
    return shown(DeliveryBacklogResponse, {
      lane,
      due,
      claimed,
      suspected,
      ...(oldestMs > 0 && { oldestDueAt: new Date(now.getTime() - oldestMs) }),
    });
  }
}

function byProvider(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.channel}:${row.providerId ?? ''}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** @param from where the period begins, and the one before ends */
function showProvider(all: readonly Row[], from: Date, period: Period): ProviderHealthResponse {
  const { ms, count } = STEPS[period];
  const rows = all.filter(({ at }) => at >= from);
  const [first] = rows;
  if (first === undefined) throw new Error('A provider without deliveries in the period is not shown.');
  const times = noTimes();
  for (const row of rows) addTimes(times, row.times);
  const [medianMs, p95Ms] = [percentileMs(times, 0.5), percentileMs(times, 0.95)];
  const pointsFrom = (begin: number): DeliveryPointResponse[] =>
    Array.from({ length: count }, (_, place) => {
      const [start, end] = [begin + place * ms, begin + (place + 1) * ms];
      const own = all.filter(({ at }) => at.getTime() >= start && at.getTime() < end);
      return shown(DeliveryPointResponse, { at: new Date(start), ...sum(own) });
    });
  return shown(ProviderHealthResponse, {
    channel: first.channel,
    ...(first.providerId !== undefined && { providerId: first.providerId }),
    ...sum(rows),
    ...(medianMs !== undefined && { medianMs }),
    ...(p95Ms !== undefined && { p95Ms }),
    points: pointsFrom(from.getTime()),
    pointsBefore: pointsFrom(from.getTime() - count * ms),
  });
}

function sum(rows: readonly Counts[]): Counts {
  const total = { sent: 0, failed: 0, retried: 0, dead: 0 };
  for (const { sent, failed, retried, dead } of rows) {
    total.sent += sent;
    total.failed += failed;
    total.retried += retried;
    total.dead += dead;
  }
  return total;
}

function inOrder(a: ProviderHealthResponse, b: ProviderHealthResponse): number {
  const byChannel = CHANNELS.indexOf(a.channel) - CHANNELS.indexOf(b.channel);
  return byChannel === 0 ? (a.providerId ?? '').localeCompare(b.providerId ?? '') : byChannel;
}
