import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { Background } from '#libs/work';
import { MessageFailed, MessageSent } from '../../engine/delivery/index.js';
import { QuestionSettled } from '../../engine/questions/index.js';
import { PreferenceChanged } from '../../content/preferences/index.js';
import { MessageActed, MessagesMarked } from '../../engine/messages/records/index.js';
import { AuditRecorded } from '../audit-log/index.js';
import { MessagesReported } from '../provider-callbacks/index.js';
import { ChangeSweeper } from './change-sweeper.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { AddressSuppressed } from '../../audience/subscribers/index.js';
import { AddressListed, showAddress, SuppressionLifted } from '../../content/suppressions/index.js';
import { IntegrationDown, IntegrationUp } from '../../channels/integrations/index.js';
import {
  type AuditRecordedDataResponse,
  type QuestionAnsweredDataResponse,
  showIntegrationHealth,
  showPreferenceChanged,
  showSuppression,
} from './webhook-event.response.js';
import {
  AUDIT_RECORDED,
  failedEvents,
  QUESTION_ANSWERED,
  reportedEventType,
  sentEvents,
  subscriberEvents,
  type WebhookEventType,
} from './webhook-events.js';
import { type Recording, WebhookRecorder } from './webhook-recorder.js';

/**
 * The engine and provider callbacks repeat their work after a crash, so their events are recorded before they continue.
 * Subscribers' actions need no waiting: the sweeper finds those whose record is lost.
 */
@Injectable()
export class WebhooksListener {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly recorder: WebhookRecorder,
    private readonly sweeper: ChangeSweeper,
    private readonly background: Background,
  ) {}

  @OnDomainEvent(MessageSent)
  onSent({ tenant, messageId }: MessageSent): Promise<void> {
    return this.recordIfSubscribed(['message.sent'], { owner: tenant, messageIds: [messageId], eventsOf: sentEvents });
  }

  @OnDomainEvent(MessageFailed)
  onFailed({ tenant, messageId }: MessageFailed): Promise<void> {
    return this.recordIfSubscribed(['message.failed'], {
      owner: tenant,
      messageIds: [messageId],
      eventsOf: failedEvents,
    });
  }

  @OnDomainEvent(MessagesReported)
  async onReported({ owner, reports }: MessagesReported): Promise<void> {
    await Promise.all(
      reports.map(async ({ messageId, status, ...report }) => {
        const type = reportedEventType(status);
        if (type === undefined) return;
        const event = { type, ...report };
        await this.recordIfSubscribed([type], { owner, messageIds: [messageId], eventsOf: () => [event] });
      }),
    );
  }

  @OnDomainEvent(PreferenceChanged)
  async onPreference(changed: PreferenceChanged): Promise<void> {
    const { tenant, owner, change, at } = changed;
    const key = JSON.stringify([at.getTime(), change.workflowId ?? null, change.channel, change.enabled]);
    const data = showPreferenceChanged(changed);
    await this.recorder.recordOther(tenant, owner.messageId ?? owner.id, { type: 'preference.changed', at, key }, data);
  }

  @OnDomainEvent(AddressSuppressed)
  async onSuppressed({ tenant, suppressed, channel }: AddressSuppressed): Promise<void> {
    const { id, since } = suppressed;
    const data = showSuppression(showAddress(suppressed, channel));
    const key = JSON.stringify([since.getTime(), channel]);
    await this.recorder.recordOther(tenant, id, { type: 'suppression.added', at: since, key }, data);
  }

  @OnDomainEvent(AddressListed)
  async onListed({ tenant, suppression }: AddressListed): Promise<void> {
    const { id, since, kind } = suppression;
    const key = JSON.stringify([since.getTime(), kind]);
    const about = { type: 'suppression.added', at: since, key } as const;
    await this.recorder.recordOther(tenant, recordIdOf(id), about, showSuppression(suppression));
  }

  @OnDomainEvent(SuppressionLifted)
  async onLifted({ tenant, suppression, reason, at }: SuppressionLifted): Promise<void> {
    const key = JSON.stringify([at.getTime(), suppression.id]);
    const data = showSuppression(suppression, reason);
    await this.recorder.recordOther(tenant, recordIdOf(suppression.id), { type: 'suppression.lifted', at, key }, data);
  }

  @OnDomainEvent(IntegrationDown)
  onDown(changed: IntegrationDown): Promise<void> {
    return this.recordHealth('integration.down', changed, changed.outage.since);
  }

  @OnDomainEvent(IntegrationUp)
  onUp(changed: IntegrationUp): Promise<void> {
    return this.recordHealth('integration.up', changed, changed.at);
  }

  @OnDomainEvent(AuditRecorded)
  async onAudit({ owner, entry }: AuditRecorded): Promise<void> {
    const about = { type: AUDIT_RECORDED, at: entry.createdAt, key: '' } as const;
    await this.recorder.recordOther(owner, entry._id, about, { entry } satisfies AuditRecordedDataResponse);
  }

  @OnDomainEvent(QuestionSettled)
  async onSettled({ owner, question }: QuestionSettled): Promise<void> {
    const about = { type: QUESTION_ANSWERED, at: question.outcome?.at ?? question.expiresAt, key: '' } as const;
    await this.recorder.recordOther(owner, question._id, about, { question } satisfies QuestionAnsweredDataResponse);
  }

  @OnDomainEvent(MessagesMarked)
  onMarked({ tenant, messageIds, state }: MessagesMarked): void {
    if (state.seen !== true && state.read !== true) return;
    if (messageIds === undefined) this.sweeper.sweepSoon(tenant);
    else this.recordLater(['message.seen', 'message.read'], tenant, messageIds);
  }

  @OnDomainEvent(MessageActed)
  onActed({ tenant, messageId }: MessageActed): void {
    this.recordLater(['message.action'], tenant, [messageId]);
  }

  private recordHealth(type: WebhookEventType, changed: IntegrationDown, at: Date): Promise<void> {
    const { owner, integration, outage } = changed;
    const about = { type, at, key: String(outage.since.getTime()) };
    return this.recorder.recordOther(owner, integration._id.toHexString(), about, showIntegrationHealth(changed));
  }

  private recordLater(
    types: readonly WebhookEventType[],
    owner: Recording['owner'],
    messageIds: readonly string[],
  ): void {
    const recording = { owner, messageIds, eventsOf: subscriberEvents, isDerived: true };
    this.background.start(() => this.recordIfSubscribed(types, recording));
  }

  private async recordIfSubscribed(types: readonly WebhookEventType[], recording: Recording): Promise<void> {
    const isSubscribed = await this.directory.isAnySubscribedTo(recording.owner.environmentId, types);
    if (isSubscribed) await this.recorder.record(recording);
  }
}

/** @param id of a suppression */
function recordIdOf(id: string): string {
  return id.split('-')[1] ?? '';
}
