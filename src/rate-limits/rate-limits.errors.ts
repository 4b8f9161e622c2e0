import { AppException } from '#libs/http-kit';

export class RateLimitExceeded extends AppException {
  constructor(category: string, retryAfterSeconds: number) {
    super(
      429,
      'rate_limited',
      `This environment has used up its calls of the category '${category}'. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
}
