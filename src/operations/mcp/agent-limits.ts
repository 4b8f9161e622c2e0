import { Injectable } from '@nestjs/common';
import { type Caller, Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AuditTrail } from '../../outcomes/audit-log/index.js';
import { AgentLimitReached, TooManyForAgent } from './mcp.errors.js';

const HOUR_MS = 3_600_000;

/** How much an agent may send without a person. The audit log has what it sent: its entry is there before it is asked. */
@Injectable()
export class AgentLimits {
  private readonly maxRecipients: number;
  private readonly maxPerHour: number;

  constructor(
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.maxRecipients = config.get('MCP_MAX_RECIPIENTS');
    this.maxPerHour = config.get('MCP_SENDS_PER_HOUR');
  }

  /** @throws {TooManyForAgent} */
  assertFew(recipients: number): void {
    if (recipients > this.maxRecipients) throw new TooManyForAgent(recipients, this.maxRecipients);
  }

  /** @param actions those that send, this one included @throws {AgentLimitReached} */
  async assertNotOften(caller: Caller, actions: readonly string[]): Promise<void> {
    const since = new Date(this.clock.now().getTime() - HOUR_MS);
    const count = await this.trail.countOfAgent(caller, { actorId: caller.apiKeyId, actions, since });
    if (count > this.maxPerHour) throw new AgentLimitReached(this.maxPerHour);
  }
}
