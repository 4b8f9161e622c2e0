import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { defineError, type TenantRequest } from '#libs/http-kit';
import { resetSeconds, retryAfterSeconds, WINDOW_SECONDS } from './bucket-rules.js';
import { callCost, TOKENS } from './call-cost.js';
import { RateLimitsService } from './rate-limits.service.js';

const RateLimitExceeded = defineError(
  429,
  'rate_limited',
  (category: string, retryAfterSeconds: number) =>
    `This environment has exceeded its rate limit in the category '${category}'. Try again in ${retryAfterSeconds} s.`,
  (_category, retryAfterSeconds) => ({ retryAfterSeconds }),
);

@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimitsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<TenantRequest>();
    if (!this.limits.enabled || request.tenant === undefined) return true;

    const { category, cost } = callCost(request.method, request.path);
    const state = await this.limits.take(request.tenant, category, TOKENS[cost]);
    const rules = this.limits.rulesOf(category);
    context
      .switchToHttp()
      .getResponse<Response>()
      .setHeaders(
        new Map([
          ['RateLimit-Limit', String(rules.limit)],
          ['RateLimit-Remaining', String(Math.floor(state.tokens))],
          ['RateLimit-Reset', String(resetSeconds(rules, state))],
          [
            'RateLimit-Policy',
            `${rules.limit};w=${WINDOW_SECONDS};burst=${rules.burst};comment="token bucket";` +
              `category="${category}";cost="${cost}";serviceLevel="unlimited"`,
          ],
        ]),
      );
    if (state.allowed) return true;
    throw new RateLimitExceeded(category, retryAfterSeconds(rules, state, TOKENS[cost]));
  }
}
