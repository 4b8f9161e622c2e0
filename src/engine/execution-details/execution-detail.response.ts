import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RecordResponse, shown } from '#libs/http-kit';
import type { NewDetail } from './detail-batch.js';
import {
  DETAIL_SOURCES,
  DETAIL_STATUSES,
  type DetailSource,
  type DetailStatus,
  usualStatusOf,
} from './detail.enums.js';
import type { ExecutionDetailBatch } from './execution-detail.schema.js';
import { toRawText } from './redact-secrets.js';

/** One line of the trace of a notification. */
export class ExecutionDetailResponse extends RecordResponse {
  /** Id of the step of the notification. */
  _jobId: string;
  _notificationId: string;
  /** Record id of the workflow. */
  _notificationTemplateId: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  /** Id of the message, if there is one yet. */
  _messageId?: string;
  /**
   * Provider that was called.
   * @example sendgrid
   */
  providerId?: string;
  transactionId: string;
  /**
   * Type of the step.
   * @example in_app
   */
  channel?: string;
  /**
   * Text of the entry.
   * @example Message sent
   */
  detail: string;
  /** Component that recorded the entry. */
  @ApiProperty({ enum: DETAIL_SOURCES, example: 'Internal' })
  source: DetailSource;
  /** Status of the entry. */
  @ApiProperty({ enum: DETAIL_STATUSES, example: 'Success' })
  status: DetailStatus;
  /** Whether the entry belongs to a test. */
  isTest: boolean;
  /** Whether the entry belongs to a retry. */
  isRetry: boolean;
  @ApiPropertyOptional({
    description: 'Further details as a JSON text. Secrets are masked.',
    example: '{"delay":60000}',
  })
  raw?: string;
  /**
   * Status that the provider's callback reported.
   * @example delivered
   */
  webhookStatus?: string;
  /** Time at which retention removes the record. */
  expireAt?: Date;
}

/** An entry that the trace of a notification would have. */
export class ForeseenDetailResponse {
  /**
   * Text of the entry.
   * @example Step was filtered based on steps filters
   */
  detail: string;
  /** Status of the entry. */
  @ApiProperty({ enum: DETAIL_STATUSES, example: 'Success' })
  status: DetailStatus;
  /**
   * Provider that would be called.
   * @example sendgrid
   */
  providerId?: string;
  @ApiPropertyOptional({
    description: 'Further details as a JSON text. Secrets are masked.',
    example: '{"delay":60000}',
  })
  raw?: string;
}

export function showForeseenDetail({ detail, status, providerId, raw }: NewDetail): ForeseenDetailResponse {
  return shown(ForeseenDetailResponse, {
    detail,
    status: status ?? usualStatusOf(detail),
    providerId,
    raw: raw === undefined ? undefined : toRawText(raw),
  });
}

/** What a response shows of a batch. */
export type ShownBatch = Omit<ExecutionDetailBatch, 'createdAt' | 'updatedAt'>;

/** Every detail of a batch, in the order in which they happened. */
export function showExecutionDetails(row: ShownBatch): ExecutionDetailResponse[] {
  return row.entries.map(({ _id, _jobId, _messageId, isTest, isRetry, createdAt, ...rest }) =>
    shown(ExecutionDetailResponse, {
      _id: _id.toHexString(),
      id: _id.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      _environmentId: row._environmentId.toHexString(),
      _jobId: _jobId.toHexString(),
      _notificationId: row._notificationId.toHexString(),
      _notificationTemplateId: row._notificationTemplateId.toHexString(),
      _subscriberId: row._subscriberId.toHexString(),
      _messageId: _messageId?.toHexString(),
      transactionId: row.transactionId,
      ...rest,
      isTest: isTest === true,
      isRetry: isRetry === true,
      ...(row.expireAt && { expireAt: row.expireAt }),
      createdAt,
      // details never change
      updatedAt: createdAt,
      __v: 0,
    }),
  );
}
