import { ApiProperty } from '@nestjs/swagger';
import { RecordResponse, shower } from '#libs/http-kit';
import type { NotificationGroup } from './notification-group.schema.js';

/** A group of workflows. */
export class NotificationGroupResponse extends RecordResponse {
  /**
   * Display name.
   * @example General
   */
  name: string;
  /** Id of the corresponding group in Development; only on the first group of Production. */
  _parentId?: string;
}

export const showNotificationGroup = shower(NotificationGroupResponse, (row: NotificationGroup) => ({
  name: row.name,
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
