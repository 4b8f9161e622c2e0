export { IdempotencyInterceptor } from './idempotency.interceptor.js';
export { SEALED_RESULT } from './idempotency-record.schema.js';
export { IdempotencyModule } from './idempotency.module.js';
export { type Begun, type KeyedRequest, type Run } from './idempotency.service.js';
export { IdempotencyKeyInProgress, IdempotencyKeyReused } from './idempotency.errors.js';
