import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RecordResponse, shower } from '#libs/http-kit';
import type { NotificationGroup } from './notification-group.schema.js';

/** A group of workflows. */
export class NotificationGroupResponse extends RecordResponse {
  /**
   * Display name.
   * @example General
   */
  name: string;
  /**
   * What recipients read below the name.
   * @example Invoices, payments and changes of your plan
   */
  description?: string;
  /**
   * Place among the groups that recipients see.
   * @example 1
   */
  @ApiPropertyOptional({ type: 'integer' })
  order?: number;
  /** Id of the corresponding group in Development; only on the first group of Production. */
  _parentId?: string;
}

export const showNotificationGroup = shower(NotificationGroupResponse, (row: NotificationGroup) => ({
  name: row.name,
  description: row.description,
  order: row.order,
  _parentId: row._parentId?.toHexString(),
}));

/** Confirms a deletion. */
export class DeletedNotificationGroupResponse {
  /** Always true. */
  @ApiProperty({ enum: [true] })
  acknowledged: true;

  /** Always `deleted`. */
  @ApiProperty({ enum: ['deleted'] })
  status: 'deleted';
}
