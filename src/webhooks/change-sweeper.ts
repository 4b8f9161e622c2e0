import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type TenantModel, toObjectId } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { MessageChanges, type SubscriberDate } from '../messages/index.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { doneBySubscriber, SUBSCRIBER_EVENTS } from './occurrence.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookSettings } from './webhook-settings.js';
import { WebhookSweep } from './webhook-sweep.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

const EVERY_MS = 30_000;
/** A write that was under way during the last sweep carries a time before it. */
const OVERLAP_MS = 10_000;
const BATCH = 500;

/**
 * Looks through messages for what subscribers did with them and nobody has noted: a process that dies between the change
 * of a message and the note of it loses the note, but not the change. Each environment is looked through from where the
 * last sweep began; what is noted already stays as it is. Only environments with such endpoints are looked at.
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
    private readonly settings: WebhookSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.isOn) this.start();
  }

  /** Sweeps now and from time to time. */
  start(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => void this.sweepAll(), EVERY_MS);
    this.timer.unref();
    void this.sweepAll();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    this.waiting.clear();
    await this.running;
  }

  /** Looks through one environment as soon as it is its turn. */
  sweepSoon(owner: Owner): void {
    if (this.isStopped) return;
    this.waiting.set(owner.environmentId, owner);
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  /** Looks through every environment that has endpoints for what subscribers do. */
  async sweepAll(): Promise<void> {
    try {
      const owners = await this.directory.ownersWanting(Object.values(SUBSCRIBER_EVENTS));
      for (const owner of owners) this.sweepSoon(owner);
    } catch (error) {
      this.settings.onError(error);
    }
    await this.running;
  }

  private async run(): Promise<void> {
    for (const [id, owner] of this.waiting) {
      this.waiting.delete(id);
      try {
        await this.sweep(owner);
      } catch (error) {
        // The next sweep begins where this one did.
        this.settings.onError(error);
      }
    }
  }

  private async sweep(owner: Owner): Promise<void> {
    const { environmentId } = owner;
    const endpoints = await this.directory.activeOf(environmentId);
    const fields = (Object.keys(SUBSCRIBER_EVENTS) as SubscriberDate[]).filter((field) =>
      endpoints.some(({ events }) => events.has(SUBSCRIBER_EVENTS[field])),
    );
    if (fields.length === 0) return;
    // The machine's clock, as it gives messages the dates that are looked for.
    const began = new Date();
    const oldest = Math.min(...endpoints.map(({ activeSince }) => activeSince.getTime()));
    const row = await this.sweeps.findOne({ _environmentId: environmentId }).lean().exec();
    const from = new Date(Math.max(oldest, row === null ? 0 : row.sweptUntil.getTime() - OVERLAP_MS));
    for (const field of fields) {
      for await (const messageIds of this.messages.idsSince(owner, field, from, BATCH)) {
        if (this.isStopped) return;
        await this.recorder.note({ owner, messageIds, occurrencesOf: doneBySubscriber, isDerived: true });
      }
    }
    await this.sweeps.updateOne(
      { _environmentId: environmentId },
      { $max: { sweptUntil: began }, $setOnInsert: { _organizationId: toObjectId(owner.organizationId) } },
      { upsert: true },
    );
  }
}
