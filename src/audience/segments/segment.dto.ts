import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import type { ConditionGroup } from '#libs/conditions';
import { AsSent, IsName, IsValidBy } from '#libs/http-kit';
import { SEGMENT_CONDITIONS, SEGMENT_FIELDS, segmentFaults } from './segment-filter.js';

export class CreateSegmentDto {
  /**
   * Your identifier of the segment, unique in the environment.
   * @example trials
   */
  @IsName()
  segmentId: string;

  /**
   * Display name.
   * @example "People on trial"
   */
  @IsName()
  name: string;

  /** Who belongs to it. Of several groups, one must pass. An empty list is everybody. */
  @AsSent()
  @IsValidBy('isSegment', segmentFaults, () => SEGMENT_FIELDS)
  @ApiProperty(SEGMENT_CONDITIONS)
  conditions: ConditionGroup[];
}

/** Absent fields are unchanged. */
export class UpdateSegmentDto extends PartialType(OmitType(CreateSegmentDto, ['segmentId'] as const)) {}

export class PreviewSegmentDto extends PickType(CreateSegmentDto, ['conditions'] as const) {}
