export { SegmentsModule } from './segments.module.js';
export { type MeantSegment, SegmentsService } from './segments.service.js';
