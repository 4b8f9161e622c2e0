import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DETAIL_SOURCES, DETAIL_STATUSES, type DetailSource, type DetailStatus } from '../detail.enums.js';
import type { ExecutionDetailBatch } from '../execution-detail.schema.js';

/** One line of the trace of a notification (interface 2.8). */
export class ExecutionDetailResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _organizationId: string;
  _environmentId: string;
  /** The step of the notification. */
  _jobId: string;
  _notificationId: string;
  /** The workflow. */
  _notificationTemplateId: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  /** The message, once there is one. */
  _messageId?: string;
  /** @example sendgrid */
  providerId?: string;
  transactionId: string;
  /**
   * Type of the step.
   * @example in_app
   */
  channel?: string;
  /**
   * What happened.
   * @example Message sent
   */
  detail: string;
  @ApiProperty({ enum: DETAIL_SOURCES, example: 'Internal' })
  source: DetailSource;
  @ApiProperty({ enum: DETAIL_STATUSES, example: 'Success' })
  status: DetailStatus;
  isTest: boolean;
  isRetry: boolean;
  @ApiPropertyOptional({ description: 'Further facts as JSON text, secrets masked.', example: '{"delay":60000}' })
  raw?: string;
  /**
   * What the provider's callback reported.
   * @example delivered
   */
  webhookStatus?: string;
  /** When the record is removed. */
  expireAt?: Date;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  /** Every detail of a stored batch, in the order in which they happened. */
  static listFrom(row: ExecutionDetailBatch): ExecutionDetailResponse[] {
    return row.entries.map(({ _id, _jobId, _messageId, isTest, isRetry, createdAt, ...rest }) =>
      Object.assign(new ExecutionDetailResponse(), {
        _id: _id.toHexString(),
        id: _id.toHexString(),
        _organizationId: row._organizationId.toHexString(),
        _environmentId: row._environmentId.toHexString(),
        _jobId: _jobId.toHexString(),
        _notificationId: row._notificationId.toHexString(),
        _notificationTemplateId: row._notificationTemplateId.toHexString(),
        _subscriberId: row._subscriberId.toHexString(),
        ...(_messageId && { _messageId: _messageId.toHexString() }),
        transactionId: row.transactionId,
        ...rest,
        isTest: isTest === true,
        isRetry: isRetry === true,
        ...(row.expireAt && { expireAt: row.expireAt }),
        createdAt,
        // a detail is never changed
        updatedAt: createdAt,
        __v: 0,
      }),
    );
  }
}
