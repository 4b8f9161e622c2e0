import { defineError } from '#libs/http-kit';

export const SubscriberLimitExceeded = defineError(
  429,
  'rate_limited',
  (retryAfterSeconds: number) => `This subscriber has sent too many requests. Try again in ${retryAfterSeconds} s.`,
  [1],
  (retryAfterSeconds) => ({ retryAfterSeconds }),
);

export const AgentRateExceeded = defineError(
  429,
  'rate_limited',
  (callsPerMinute: number, retryAfterSeconds: number) =>
    `The key of this agent may call ${callsPerMinute} times in a minute. Try again in ${retryAfterSeconds} s.`,
  [60, 1],
  (_callsPerMinute, retryAfterSeconds) => ({ retryAfterSeconds }),
);

export const RateLimitExceeded = defineError(
  429,
  'rate_limited',
  (category: string, retryAfterSeconds: number) =>
    `This environment has exceeded its rate limit in the category '${category}'. Try again in ${retryAfterSeconds} s.`,
  ['global', 1],
  (_category, retryAfterSeconds) => ({ retryAfterSeconds }),
);
