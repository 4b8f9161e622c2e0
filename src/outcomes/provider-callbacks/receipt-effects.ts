import { Injectable } from '@nestjs/common';
import { ChannelRegistry, ProviderError, type Receipt, type Ticket } from '#libs/channels';
import { Clock } from '#libs/common';
import { derivedObjectId } from '#libs/persistence';
import { batchOfMessage, DETAIL, ExecutionDetailsService } from '../../engine/execution-details/index.js';
import { MessageReports, type PushReceiptRecord } from '../../engine/messages/reports/index.js';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';

export interface LookResult {
  /** Tickets without a receipt. */
  readonly open: readonly Ticket[];
  /** All that were handed on. */
  readonly delivered: number;
}

/** Every part can be repeated: a look that is interrupted is made again. */
@Injectable()
export class ReceiptEffects {
  constructor(
    private readonly registry: ChannelRegistry,
    private readonly integrations: IntegrationsService,
    private readonly subscribers: SubscribersService,
    private readonly reports: MessageReports,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
  ) {}

  /** Removes the tokens that are dead, and says in the trail which ones the message did not reach. */
  async apply(record: PushReceiptRecord, found: ReadonlyMap<string, Receipt>): Promise<LookResult> {
    const { tickets, providerId } = record;
    const failed = tickets.flatMap((ticket) => {
      const receipt = found.get(ticket.id);
      return receipt?.error === undefined ? [] : [{ ...ticket, ...receipt, error: receipt.error }];
    });
    const open = tickets.filter(({ id }) => !found.has(id));
    const delivered = record.delivered + tickets.length - open.length - failed.length;
    const dead = failed.filter(({ isInvalid }) => isInvalid === true).map(({ target }) => target);
    const tenant = { environmentId: record._environmentId.toHexString() };
    await this.subscribers.removeDeviceTokens(tenant, record.subscriberId, providerId, dead);
    if (failed.length > 0) await this.tell(record, failed, open.length === 0 && delivered === 0);
    return { open, delivered };
  }

  /** Nothing, where the provider cannot be asked now: there are more looks. */
  async fetch({
    integrationId,
    _environmentId,
    providerId,
    tickets,
  }: PushReceiptRecord): Promise<ReadonlyMap<string, Receipt>> {
    const all = await this.integrations.candidates({ environmentId: _environmentId.toHexString() }, 'push');
    const integration = all.find(({ id }) => id === integrationId);
    if (integration === undefined || integration.credentialsError !== undefined) return new Map();
    const ids = tickets.map(({ id }) => id);
    return this.registry.receipts(providerId, integration.credentials, ids).catch((error: unknown) => {
      if (error instanceof ProviderError) return new Map<string, Receipt>();
      throw error;
    });
  }

  private async tell(
    record: PushReceiptRecord,
    failed: readonly (Ticket & { readonly error: string })[],
    isAll: boolean,
  ): Promise<void> {
    const { messageId: _id, providerId, looks } = record;
    const message = { ...record, _id, channel: 'push' as const };
    const [first] = failed;
    if (isAll && first) {
      await this.reports.apply([{ message, status: 'error', errorText: first.error }], this.clock.now());
    }
    const raw = { failed: failed.map(({ target, error }) => ({ target, error })) };
    const id = derivedObjectId(_id, 'receipts', String(looks));
    await this.details.append([
      batchOfMessage(id, message, {
        detail: DETAIL.pushNotDelivered,
        providerId,
        status: isAll ? 'Failed' : 'Warning',
        raw,
      }),
    ]);
  }
}
