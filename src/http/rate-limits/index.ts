export { RateLimitGuard } from './rate-limit.guard.js';
export { RateLimitsModule } from './rate-limits.module.js';
export { RateLimitsService } from './rate-limits.service.js';
export { RateLimitExceeded, SubscriberLimitExceeded } from './rate-limits.errors.js';
