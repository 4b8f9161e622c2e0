import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type HttpReply, type HttpRequest, RouteAccess, routeOf } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { resetSeconds, retryAfterSeconds, WINDOW_SECONDS } from './bucket-rules.js';
import { type CallCost, callCost, TOKENS } from './call-cost.js';
import { AgentRateExceeded, RateLimitExceeded, SubscriberLimitExceeded } from './rate-limits.errors.js';
import { RateLimitsService } from './rate-limits.service.js';

@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimitsService,
    private readonly routes: RouteAccess,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const { tenant, subscriber } = request;
    if (tenant?.agent !== undefined) return this.admitAgent(tenant, tenant.agent.callsPerMinute);
    if (!this.limits.enabled) return true;
    if (this.routes.of(context).caller === 'subscriber')
      return subscriber === undefined || this.admitSubscriber(subscriber.id);
    if (tenant === undefined) return true;
    return this.admit(tenant, callCost(request.method, routeOf(request) ?? ''), http.getResponse<HttpReply>());
  }

  /** One browser must not use up the environment's budget. */
  private admitSubscriber(subscriberId: string): boolean {
    const { rules, state } = this.limits.takeOfSubscriber(subscriberId);
    if (!state.allowed) throw new SubscriberLimitExceeded(retryAfterSeconds(rules, state, 1));
    return true;
  }

  private async admitAgent(tenant: TenantContext, callsPerMinute: number): Promise<boolean> {
    const { rules, state } = await this.limits.takeOfAgent(tenant, callsPerMinute);
    if (!state.allowed) throw new AgentRateExceeded(callsPerMinute, retryAfterSeconds(rules, state, 1));
    return true;
  }

  private async admit(tenant: TenantContext, { category, cost }: CallCost, reply: HttpReply): Promise<boolean> {
    const state = await this.limits.take(tenant, category, TOKENS[cost]);
    const rules = this.limits.rulesOf(category);
    reply
      .header('RateLimit-Limit', String(rules.limit))
      .header('RateLimit-Remaining', String(Math.floor(state.tokens)))
      .header('RateLimit-Reset', String(resetSeconds(rules, state)))
      .header(
        'RateLimit-Policy',
        `${rules.limit};w=${WINDOW_SECONDS};burst=${rules.burst};comment="token bucket";` +
          `category="${category}";cost="${cost}";serviceLevel="unlimited"`,
      );
    if (!state.allowed) throw new RateLimitExceeded(category, retryAfterSeconds(rules, state, TOKENS[cost]));
    return true;
  }
}
