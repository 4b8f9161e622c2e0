import { defineError } from '#libs/http-kit';

export const RateLimitExceeded = defineError(
  429,
  'rate_limited',
  (category: string, retryAfterSeconds: number) =>
    `This environment has used up its calls of the category '${category}'. Try again in ${retryAfterSeconds} s.`,
  (_category, retryAfterSeconds) => ({ retryAfterSeconds }),
);
