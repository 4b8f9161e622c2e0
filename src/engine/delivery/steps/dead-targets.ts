import { Injectable } from '@nestjs/common';
import { SubscribersService } from '../../../audience/subscribers/index.js';
import { AddressSuppressions } from '../../../content/suppressions/index.js';
import { DETAIL } from '../../execution-details/index.js';
import { PushReceipts } from '../../messages/reports/index.js';
import { messageIdFor } from '../../messages/store/index.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import type { Target } from './provider-channel.js';
import type { AwaitedReceipts, SentTarget } from './target-sender.js';

/** Takes back what a provider says is gone for good, so that nothing is sent there again. */
@Injectable()
export class DeadTargets {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly suppressions: AddressSuppressions,
    private readonly receipts: PushReceipts,
  ) {}

  async remove(task: StepTask, target: Target, { result }: SentTarget): Promise<void> {
    if (!('providerId' in result) || result.providerId === undefined || result.kind === 'retry') return;
    const { providerId, invalidTokens = [], deadAddresses = [], isGone = false } = result;
    const { run, now } = task;
    const tenant = tenantOf(run.event);
    const { subscriberId } = run.record;
    await this.subscribers.removeDeviceTokens(tenant, subscriberId, providerId, invalidTokens);
    for (const { address, reason } of deadAddresses) {
      await this.suppressions.report(tenant, 'email', address, { kind: 'bounce', reason, since: now });
    }
    if (result.kind === 'sent' && result.receipts) await this.keepTickets(task, target, providerId, result.receipts);
    if (!isGone || result.kind === 'sent') return;
    const { entry, record } = target;
    if (entry !== undefined) {
      await this.subscribers.removeChatAddress(tenant, subscriberId, entry);
      task.recorder.note(DETAIL.chatAddressRemoved, { providerId, raw: { reason: result.error } });
    } else if (run.event.test === undefined && task.state.type === 'sms' && record.phone !== undefined) {
      const fault = { kind: 'bounce', reason: result.error, since: now } as const;
      await this.suppressions.report(tenant, 'sms', record.phone, fault);
    }
  }

  /** The provider knows which tokens are dead a while after it has accepted the message. */
  private async keepTickets(
    { run, state, now }: StepTask,
    target: Target,
    providerId: string,
    { integrationId, tickets }: AwaitedReceipts,
  ): Promise<void> {
    const { record, event } = run;
    const messageId = messageIdFor({ notificationId: record._id, jobId: state._id, target: target.key });
    const { _environmentId, _organizationId, _subscriberId, _templateId, subscriberId } = record;
    const owner = { _environmentId, _organizationId, _subscriberId, _templateId, subscriberId };
    const { transactionId } = event;
    const message = { messageId, _notificationId: record._id, _jobId: state._id, transactionId };
    await this.receipts.keep({ ...owner, ...message, providerId, integrationId, tickets: [...tickets] }, now);
  }
}
