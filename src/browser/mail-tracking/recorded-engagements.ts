import { setTimeout as pause } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Clock, EventBus } from '#libs/common';
import { ENGAGEMENTS } from '#libs/telemetry';
import { derivedObjectId } from '#libs/persistence';
import { Background } from '#libs/work';
import { DETAIL, ExecutionDetailsService } from '../../engine/execution-details/index.js';
import {
  type Engagement,
  type EngagementKind,
  Engagements,
  MessageReports,
  type ReportedMessage,
} from '../../engine/messages/index.js';
import type { LinkClaims } from '../../management/recipient-links/index.js';
import { MessagesReported } from '../../reading/provider-callbacks/index.js';

/** The person waits for the page, not for the record. */
const MAX_WAIT_MS = 1_000;
const DETAILS = { opened: DETAIL.messageOpened, clicked: DETAIL.messageClicked } as const;

/** Changes the message as reports of providers do, and tells the same listeners. */
@Injectable()
export class RecordedEngagements implements BeforeApplicationShutdown {
  constructor(
    private readonly messages: MessageReports,
    private readonly engagements: Engagements,
    private readonly details: ExecutionDetailsService,
    private readonly events: EventBus,
    private readonly background: Background,
    private readonly clock: Clock,
  ) {}

  /** Resolves when it is recorded, or has taken too long, or cannot be recorded: never rejects. */
  async record(claims: LinkClaims, kind: EngagementKind, machine: boolean): Promise<void> {
    const { target: url } = claims;
    const engagement = { at: this.clock.now(), machine, ...(url !== undefined && { url }) };
    const recorded = new Promise<void>((resolve) => {
      this.background.start(() => this.write(claims, kind, engagement).finally(resolve));
    });
    await Promise.race([recorded, pause(MAX_WAIT_MS, undefined, { ref: false })]);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.background.settle();
  }

  private async write(claims: LinkClaims, kind: EngagementKind, engagement: Engagement): Promise<void> {
    const message = await this.messages.findById(claims, claims.messageId);
    // It may be no longer kept; its links still lead on.
    if (message === undefined || !(await this.engagements.record(message, kind, engagement))) return;
    ENGAGEMENTS.add({ kind, by: engagement.machine ? 'machine' : 'person' });
    const key = new Types.ObjectId().toHexString();
    const report = { messageId: claims.messageId, status: kind, key, ...engagement };
    await this.events.publish(new MessagesReported(claims, [report]));
    await this.note(message, kind, key, engagement);
  }

  private note(message: ReportedMessage, kind: EngagementKind, key: string, { at, ...raw }: Engagement): Promise<void> {
    const { _jobId: jobId, _id: messageId, channel, providerId } = message;
    return this.details.append([
      {
        id: derivedObjectId(messageId, kind, key),
        organizationId: message._organizationId,
        environmentId: message._environmentId,
        notificationId: message._notificationId,
        workflowId: message._templateId,
        subscriberId: message._subscriberId,
        transactionId: message.transactionId,
        entries: [
          {
            jobId,
            messageId,
            channel,
            detail: DETAILS[kind],
            status: 'Success',
            raw,
            at,
            ...(providerId !== undefined && { providerId }),
          },
        ],
      },
    ]);
  }
}
