import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { InjectModel, Prop, Schema } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { defineSchema, type TenantModel, TenantRecord, toObjectId } from '#libs/persistence';
import { Background } from '#libs/work';
import { MessageChanges, type SubscriberDate } from '../../engine/messages/store/index.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { SUBSCRIBER_EVENT_TYPES, subscriberEvents } from './webhook-events.js';
import { WebhookRecorder } from './webhook-recorder.js';

/** Time up to which messages were searched for unrecorded events. */
@Schema({ collection: 'webhookSweeps', timestamps: true })
export class WebhookSweep extends TenantRecord {
  @Prop({ type: Date, required: true })
  sweptUntil: Date;
}

export const WebhookSweepSchema = defineSchema(WebhookSweep);
// not partial, because it is never deleted
WebhookSweepSchema.index({ _environmentId: 1 }, { unique: true });

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

const INTERVAL_MS = 30_000;
/** A write in flight during the last sweep has an earlier time. */
const OVERLAP_MS = 10_000;
const BATCH = 500;

/**
 * A process that dies between changing a message and recording the event loses only the record; the sweep finds it.
 * Each environment with endpoints for such events is searched from the start of its last sweep.
 */
@Injectable()
export class ChangeSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly waiting = new Map<string, Owner>();
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    @InjectModel(WebhookSweep.name) private readonly sweeps: TenantModel<WebhookSweep>,
    private readonly directory: EndpointDirectory,
    private readonly messages: MessageChanges,
    private readonly recorder: WebhookRecorder,
    private readonly background: Background,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.start();
  }

  start(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => void this.sweepAll(), INTERVAL_MS);
    this.timer.unref();
    void this.sweepAll();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    this.waiting.clear();
    await this.running;
  }

  /** Runs after the current sweeps. */
  sweepSoon(owner: Owner): void {
    if (this.isStopped) return;
    this.waiting.set(owner.environmentId, owner);
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  async sweepAll(): Promise<void> {
    try {
      const owners = await this.directory.environmentsSubscribedTo(Object.values(SUBSCRIBER_EVENT_TYPES));
      for (const owner of owners) this.sweepSoon(owner);
    } catch (error) {
      this.background.onError(error);
    }
    await this.running;
  }

  private async run(): Promise<void> {
    for (const [id, owner] of this.waiting) {
      this.waiting.delete(id);
      try {
        await this.sweep(owner);
      } catch (error) {
        // The next sweep starts where this one did.
        this.background.onError(error);
      }
    }
  }

  private async sweep(owner: Owner): Promise<void> {
    const { environmentId } = owner;
    const endpoints = await this.directory.activeOf(environmentId);
    const fields = (Object.keys(SUBSCRIBER_EVENT_TYPES) as SubscriberDate[]).filter((field) =>
      endpoints.some(({ events }) => events.has(SUBSCRIBER_EVENT_TYPES[field])),
    );
    if (fields.length === 0) return;
    // The machine's clock also sets the dates searched for.
    const began = new Date();
    const oldest = Math.min(...endpoints.map(({ activeSince }) => activeSince.getTime()));
    const row = await this.sweeps.findOne({ _environmentId: environmentId }).lean().exec();
    const from = new Date(Math.max(oldest, row === null ? 0 : row.sweptUntil.getTime() - OVERLAP_MS));
    for (const field of fields) {
      for await (const messageIds of this.messages.idsSince(owner, field, from, BATCH)) {
        if (this.isStopped) return;
        await this.recorder.record({ owner, messageIds, eventsOf: subscriberEvents, isDerived: true });
      }
    }
    await this.sweeps.updateOne(
      { _environmentId: environmentId },
      { $max: { sweptUntil: began }, $setOnInsert: { _organizationId: toObjectId(owner.organizationId) } },
      { upsert: true },
    );
  }
}
