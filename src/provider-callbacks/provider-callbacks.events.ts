import type { MessageStatus } from '../messages/index.js';
import type { TenantContext } from '#libs/common';

/** What a provider says became of one message. */
export interface ReportedStatus {
  /** Record id. */
  readonly messageId: string;
  readonly status: MessageStatus;
  /** When it happened, as far as the provider says; otherwise when it was told. */
  readonly at: Date;
  /** The same whenever the provider tells the same again. */
  readonly key: string;
  /** The provider's or the receiving server's own words. */
  readonly response?: string;
}

/**
 * A provider has reported on messages. Listeners are waited for before the provider is answered, and it reports again
 * where one fails: so they may hear the same twice.
 */
export class MessagesReported {
  constructor(
    readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly reports: readonly ReportedStatus[],
  ) {}
}
