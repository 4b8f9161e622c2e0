import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { nanoid } from 'nanoid';
import { Clock, type TenantContext } from '#libs/common';
import { onDuplicateKey, type TenantModel, toObjectId, untilWritten } from '#libs/persistence';
import type { AgentLimits } from '../../platform/auth/index.js';
import { type AgentSend, AgentUse } from './agent-use.schema.js';
import { AgentLimitReached } from './mcp.errors.js';

const MINUTE_MS = 60_000;

export type Size = Pick<AgentSend, 'notifications' | 'people'>;

/** Counts what agents send. Of two calls at once for the last place, one gets it. */
@Injectable()
export class AgentUses {
  /** Calls of one key wait for each other in this process, so that they seldom do in the store. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    @InjectModel(AgentUse.name) private readonly uses: TenantModel<AgentUse>,
    private readonly clock: Clock,
  ) {}

  /** @returns what gives the places back, if nothing is sent @throws {AgentLimitReached} */
  async take(caller: TenantContext, limits: AgentLimits, size: Size): Promise<() => Promise<void>> {
    const id = nanoid();
    await this.inTurn(caller.apiKeyId, () =>
      untilWritten(async () => (await this.attempt(caller, limits, { ...size, id })) || undefined),
    );
    return async () => {
      await this.rows.updateOne(keyOf(caller), { $pull: { sends: { id } }, $inc: { revision: 1 } } as object);
    };
  }

  private async attempt(caller: TenantContext, limits: AgentLimits, asked: Omit<AgentSend, 'at'>): Promise<boolean> {
    const at = this.clock.now();
    const periodMs = limits.periodMinutes * MINUTE_MS;
    const found = (await this.rows.findOne(keyOf(caller))) as Pick<AgentUse, 'sends' | 'revision'> | null;
    const since = at.getTime() - periodMs;
    const sends = [...(found?.sends ?? []).filter((send) => send.at.getTime() > since), { ...asked, at }];
    assertWithin(limits, sends);
    const next = { sends, expireAt: new Date(at.getTime() + periodMs) };
    if (found === null) return this.begin(caller, next);
    const { matchedCount } = await this.rows.updateOne(
      { ...keyOf(caller), revision: found.revision },
      { $set: next, $inc: { revision: 1 } },
    );
    return matchedCount === 1;
  }

  private async begin(caller: TenantContext, next: Pick<AgentUse, 'sends' | 'expireAt'>): Promise<boolean> {
    const row = { ...keyOf(caller), _organizationId: toObjectId(caller.organizationId), revision: 1, ...next };
    return this.rows.insertOne({ ...row, deleted: false }).then(
      () => true,
      onDuplicateKey(() => false),
    );
  }

  private async inTurn(key: string, work: () => Promise<unknown>): Promise<void> {
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(work, work);
    this.turns.set(key, turn);
    try {
      await turn;
    } finally {
      if (this.turns.get(key) === turn) this.turns.delete(key);
    }
  }

  private get rows(): TenantModel<AgentUse>['collection'] {
    return this.uses.collection;
  }
}

function keyOf({ environmentId, apiKeyId }: TenantContext) {
  return { _environmentId: toObjectId(environmentId), apiKeyId };
}

function assertWithin(limits: AgentLimits, sends: readonly AgentSend[]): void {
  const notifications = sends.reduce((sum, send) => sum + send.notifications, 0);
  const people = new Set(sends.flatMap((send) => send.people)).size;
  if (notifications <= limits.notifications && people <= limits.people) return;
  throw new AgentLimitReached(limits.notifications, limits.people, limits.periodMinutes);
}
