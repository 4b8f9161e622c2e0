export { batchOfMessage, type DetailBatch, type NewDetail } from './detail-batch.js';
export { DETAIL, DETAIL_STATUSES, type Detail, type DetailSource, type DetailStatus } from './detail.enums.js';
export { ExecutionDetailResponse, ForeseenDetailResponse, showForeseenDetail } from './execution-detail.response.js';
export { ExecutionDetailsModule } from './execution-details.module.js';
export { ExecutionDetailsService } from './execution-details.service.js';
export { type EndedStep, explanationOf } from './explanation.js';
export { ExplanationResponse } from './explanation.response.js';
export { extendTrail, type TrailEntry, type TrailRecord } from './trail.js';
export { isOwnDetail } from './detail.enums.js';
