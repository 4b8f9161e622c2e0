import { ApiProperty } from '@nestjs/swagger';
import type { ConditionGroup } from '#libs/conditions';
import { RecordResponse, shower } from '#libs/http-kit';
import { SubscriberResponse } from '../subscribers/index.js';
import type { Segment } from './segment.schema.js';
import { SEGMENT_CONDITIONS } from './segment-filter.js';

/** Everybody whose profile and data pass conditions. */
export class SegmentResponse extends RecordResponse {
  /**
   * Your identifier of the segment.
   * @example trials
   */
  segmentId: string;
  /**
   * Display name.
   * @example "People on trial"
   */
  name: string;
  /** Who belongs to it. */
  @ApiProperty(SEGMENT_CONDITIONS)
  conditions: ConditionGroup[];
}

/** Who belongs to a segment now. */
export class SegmentPreviewResponse {
  /**
   * Number of its subscribers.
   * @example 1204
   */
  count: number;
  /** False if counting took longer than five seconds: `count` is what was found until then. */
  isExact: boolean;
  /** Ten of them, those who were created first. */
  @ApiProperty({ type: [SubscriberResponse] })
  subscribers: SubscriberResponse[];
}

export const showSegment = shower(SegmentResponse, ({ segmentId, name, conditions }: Segment) => ({
  segmentId,
  name,
  conditions,
}));
