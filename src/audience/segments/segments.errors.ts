import { defineError } from '#libs/http-kit';

export const SegmentAlreadyExists = defineError(
  409,
  'segment_already_exists',
  (segmentId: string) =>
    `This environment already has a segment '${segmentId}'. Choose another id or change that segment with PATCH.`,
  ['trials'],
);

export const SegmentNotFound = defineError(
  404,
  'segment_not_found',
  (segmentId: string) =>
    `This environment has no segment '${segmentId}'. List them with GET /v1/segments or create it with POST /v1/segments.`,
  ['trials'],
);
