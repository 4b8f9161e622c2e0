import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { CallbackEvent } from '#libs/channels';
import { Clock } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { derivedObjectId, type TenantModel, toObjectId } from '#libs/persistence';
import { type CallbackIntegration, CallbackIntegrations } from '../../channels/integrations/index.js';
import { CallbackEffects } from './callback-effects.js';
import { eventKeyOf } from './callback-status.js';
import { EarlyReport } from './early-report.schema.js';

/** An account may have other senders, whose messages are never found. */
const MAX_KEPT = 10_000;
/** Longer than an interrupted call needs until it is decided. */
const KEPT_MS = 3_600_000;
const INTERVAL_MS = 10_000;
const MAX_FOUND = 500;
const MAX_BATCHES = 10;
const SECOND_MS = 1_000;

/** Keeps reports of providers that come before the message is stored, and applies them when it is there. */
@Injectable()
export class EarlyReports implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    @InjectModel(EarlyReport.name) private readonly early: TenantModel<EarlyReport>,
    private readonly integrations: CallbackIntegrations,
    private readonly effects: CallbackEffects,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    const onError = (error: unknown): void => this.logger.error(error, EarlyReports.name);
    this.timer = setInterval(() => void this.apply().catch(onError), INTERVAL_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** As many as an environment has room for. */
  async keep({ id, owner }: CallbackIntegration, events: readonly CallbackEvent[]): Promise<void> {
    const _environmentId = toObjectId(owner.environmentId);
    const kept = await this.early.collection.countDocuments({ _environmentId }, { limit: MAX_KEPT });
    const room = events.slice(0, MAX_KEPT - kept);
    if (room.length === 0) return;
    const now = this.clock.now();
    const expireAt = new Date(now.getTime() + KEPT_MS);
    const own = {
      _organizationId: toObjectId(owner.organizationId),
      integrationId: id,
      createdAt: now,
      deleted: false,
    };
    const writes = room.map((event) => ({
      updateOne: {
        filter: { _id: derivedObjectId(toObjectId(id), event.messageIdentifier, eventKeyOf(event)), _environmentId },
        update: { $setOnInsert: { ...own, event, lookAt: now, expireAt } },
        upsert: true,
      },
    }));
    await this.early.collection.bulkWrite(writes, { ordered: false, ignoreUndefined: true });
  }

  /** Applies those whose messages are stored by now. Another process may do so at the same time: each report has one effect. */
  apply(): Promise<void> {
    this.running ??= this.applyAll().finally(() => (this.running = undefined));
    return this.running;
  }

  private async applyAll(): Promise<void> {
    for (let more = MAX_BATCHES; more > 0 && (await this.applyDue()); more -= 1);
  }

  /** @returns whether there may be more */
  private async applyDue(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.early.collection
      .find<EarlyReport>({ lookAt: { $lte: now } })
      .sort({ lookAt: 1 })
      .limit(MAX_FOUND)
      .toArray();
    for (const id of new Set(due.map(({ integrationId }) => integrationId))) {
      await this.applyOf(
        id,
        due.filter(({ integrationId }) => integrationId === id),
        now,
      );
    }
    return due.length === MAX_FOUND;
  }

  private async applyOf(integrationId: string, rows: readonly EarlyReport[], now: Date): Promise<void> {
    const integration = await this.integrations.find(integrationId);
    const events = rows.map(({ event }) => event);
    const unknown = new Set(integration === undefined ? [] : await this.effects.apply(integration, events));
    const late = rows.filter(({ event }) => unknown.has(event));
    await this.early.collection.bulkWrite(
      rows.map((row) => {
        const filter = { _id: row._id, _environmentId: row._environmentId };
        if (!late.includes(row)) return { deleteOne: { filter } };
        const waitMs = Math.max((now.getTime() - row.createdAt.getTime()) / 4, SECOND_MS);
        return { updateOne: { filter, update: { $set: { lookAt: new Date(now.getTime() + waitMs) } } } };
      }),
      { ordered: false },
    );
  }
}
