import type { DetailBatch } from '../../execution-details/index.js';
import type { NotificationRecord } from '../records/notification.record.js';

type Owner = Pick<
  NotificationRecord,
  '_id' | '_organizationId' | '_environmentId' | '_templateId' | '_subscriberId' | 'transactionId'
>;

/** Whose details a batch holds. */
export function ownerOf(record: Owner): Omit<DetailBatch, 'id' | 'entries'> {
  return {
    organizationId: record._organizationId,
    environmentId: record._environmentId,
    notificationId: record._id,
    workflowId: record._templateId,
    subscriberId: record._subscriberId,
    transactionId: record.transactionId,
  };
}
