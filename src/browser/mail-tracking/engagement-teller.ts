import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Clock, EventBus, FailPoint } from '#libs/common';
import { derivedObjectId } from '#libs/persistence';
import { ENGAGEMENTS } from '#libs/telemetry';
import { Background } from '#libs/work';
import { batchOfMessage, DETAIL, ExecutionDetailsService } from '../../engine/execution-details/index.js';
import type { Engagement, EngagementKind, UntoldEngagement } from '../../engine/messages/records/index.js';
import { EarlyEngagements, Engagements, type ReportedMessage } from '../../engine/messages/reports/index.js';
import { MessagesReported } from '../../outcomes/provider-callbacks/index.js';

/** Between the record of an open or a click and what others are told of it. */
export const ENGAGED = new FailPoint<UntoldEngagement>('engagement.recorded');

const DETAILS = { opened: DETAIL.messageOpened, clicked: DETAIL.messageClicked } as const;
const INTERVAL_MS = 10_000;
/** For so long, the process that recorded it may still be about to tell. */
const PATIENCE_MS = 10_000;

/** Tells webhooks, plugins, those who wait and the trail of what was recorded: again what a process did not before it died. */
@Injectable()
export class EngagementTeller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly engagements: Engagements,
    private readonly early: EarlyEngagements,
    private readonly details: ExecutionDetailsService,
    private readonly events: EventBus,
    private readonly background: Background,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.background.start(() => this.tellRest());
      this.background.start(() => this.recordEarly());
    }, INTERVAL_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async record(message: ReportedMessage, kind: EngagementKind, engagement: Engagement): Promise<void> {
    const untold = await this.engagements.record(message, kind, engagement);
    // The message keeps no more of them, and its status follows all the same.
    if (untold === undefined) return this.engagements.apply(message, kind, engagement);
    ENGAGEMENTS.add({ kind, by: engagement.machine ? 'machine' : 'person' });
    await this.tell(message, untold);
  }

  /** What came before its message was stored, which it is by now. */
  async recordEarly(): Promise<void> {
    for (const late of await this.early.found()) {
      for (const { kind, ...engagement } of late.engagements) await this.record(late.message, kind, engagement);
      await this.early.remove(late);
    }
  }

  /** Each part again is the same: all of them are named by the key of the engagement. */
  async tell(message: ReportedMessage, engagement: UntoldEngagement): Promise<void> {
    await ENGAGED.pass(engagement);
    const { kind, ...report } = engagement;
    await this.engagements.apply(message, kind, engagement);
    const owner = {
      organizationId: message._organizationId.toHexString(),
      environmentId: message._environmentId.toHexString(),
    };
    const messageId = message._id.toHexString();
    await this.events.publish(new MessagesReported(owner, [{ messageId, status: kind, ...report }]));
    await this.note(message, engagement);
    await this.engagements.settle(message, engagement);
  }

  /** Of all environments. @throws the first failure, after all were tried: one that fails holds up no other */
  async tellRest(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - PATIENCE_MS);
    const failures: unknown[] = [];
    for (const message of await this.engagements.untoldSince(before)) {
      for (const engagement of message.untold) {
        await this.tell(message, engagement).catch((error: unknown) => failures.push(error));
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private note(message: ReportedMessage, { kind, key, at, machine, url }: UntoldEngagement): Promise<void> {
    return this.details.append([
      batchOfMessage(derivedObjectId(message._id, kind, key), message, {
        detail: DETAILS[kind],
        status: 'Success',
        raw: { machine, ...(url !== undefined && { url }) },
        at,
        ...(message.providerId !== undefined && { providerId: message.providerId }),
      }),
    ]);
  }
}
