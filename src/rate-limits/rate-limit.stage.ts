import { Injectable } from '@nestjs/common';
import { type HttpReply, PipelineStage, type RoutePlan, type Stage, type Step } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { resetSeconds, retryAfterSeconds, WINDOW_SECONDS } from './bucket-rules.js';
import { type CallCost, callCost, TOKENS } from './call-cost.js';
import { RateLimitExceeded, SubscriberLimitExceeded } from './rate-limits.errors.js';
import { RateLimitsService } from './rate-limits.service.js';

/** Takes the tokens of each call: those of the environment, or those of a subscriber. Without rate limits it costs nothing. */
@Injectable()
@PipelineStage({ at: 'admission' })
export class RateLimitStage implements Stage {
  constructor(private readonly limits: RateLimitsService) {}

  stepFor({ method, path, caller }: RoutePlan): Step | undefined {
    if (!this.limits.enabled) return undefined;
    if (caller === 'subscriber') return ({ subscriber }) => subscriber && this.admitSubscriber(subscriber.id);
    const call = callCost(method, path);
    return ({ tenant }, reply) => (tenant === undefined ? undefined : this.admit(tenant, call, reply));
  }

  /** One browser must not use up the budget of the environment. */
  private admitSubscriber(subscriberId: string): void {
    const { rules, state } = this.limits.takeOfSubscriber(subscriberId);
    if (!state.allowed) throw new SubscriberLimitExceeded(retryAfterSeconds(rules, state, 1));
  }

  private async admit(tenant: TenantContext, { category, cost }: CallCost, reply: HttpReply): Promise<void> {
    const state = await this.limits.take(tenant, category, TOKENS[cost]);
    const rules = this.limits.rulesOf(category);
    reply.headers({
      'RateLimit-Limit': String(rules.limit),
      'RateLimit-Remaining': String(Math.floor(state.tokens)),
      'RateLimit-Reset': String(resetSeconds(rules, state)),
      'RateLimit-Policy':
        `${rules.limit};w=${WINDOW_SECONDS};burst=${rules.burst};comment="token bucket";` +
        `category="${category}";cost="${cost}";serviceLevel="unlimited"`,
    });
    if (!state.allowed) throw new RateLimitExceeded(category, retryAfterSeconds(rules, state, TOKENS[cost]));
  }
}
