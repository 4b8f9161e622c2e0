import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Clock, TestClock, type TenantContext } from '#libs/common';
import { shown } from '#libs/http-kit';
import { keepTestClock } from '#libs/persistence';
import { EnvironmentsService } from '../../platform/environments/index.js';
import type { ClockUnit, MoveTestClockDto } from './test-clock.dto.js';
import { MovedTestClockResponse, TestClockResponse } from './test-clock.response.js';
import { WaitingWork } from './waiting-work.js';
import { TestClockBackwards, TestClockInProduction, TestClockOff, TestClockTooFar } from './testing.errors.js';

const UNIT_MS: Readonly<Record<ClockUnit, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
};
const MAX_DAYS = 366;
/** A client gets its answer within this time, also where much becomes due. */
const MAX_WALL_MS = 20_000;

@Injectable()
export class TestClockService {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    @InjectConnection() private readonly connection: Connection,
    private readonly environments: EnvironmentsService,
    private readonly work: WaitingWork,
  ) {}

  async show(tenant: TenantContext): Promise<TestClockResponse> {
    const clock = await this.clockOf(tenant);
    return shown(TestClockResponse, timeOf(clock));
  }

  /** One after the other. */
  async move(tenant: TenantContext, dto: MoveTestClockDto): Promise<MovedTestClockResponse> {
    const clock = await this.clockOf(tenant);
    const moving = this.last.then(() => this.moveTo(clock, targetOf(dto, clock.now())));
    this.last = moving.catch(() => undefined);
    return moving;
  }

  private async moveTo(clock: TestClock, target: Date): Promise<MovedTestClockResponse> {
    const began = performance.now();
    clock.stop();
    let moments = 0;
    let next: Date | undefined;
    try {
      for (;;) {
        next = await this.nextUntil(target);
        if (next === undefined || performance.now() - began > MAX_WALL_MS) break;
        clock.moveTo(next);
        moments += 1;
      }
      if (next === undefined) clock.moveTo(target);
    } finally {
      await keepTestClock(this.connection, clock.goOn());
    }
    return shown(MovedTestClockResponse, { ...timeOf(clock), isDone: next === undefined, moments });
  }

  /** Does what is due. @returns when something is due next, if that is not after the target */
  private async nextUntil(target: Date): Promise<Date | undefined> {
    await this.work.runDue();
    const next = await this.work.nextAt();
    return next !== undefined && next <= target ? next : undefined;
  }

  /** @throws {TestClockOff} @throws {TestClockInProduction} */
  private async clockOf(tenant: TenantContext): Promise<TestClock> {
    const { clock } = this;
    if (!(clock instanceof TestClock)) throw new TestClockOff();
    const { name, _parentId } = await this.environments.get(tenant, tenant.environmentId);
    if (_parentId !== undefined) throw new TestClockInProduction(name);
    return clock;
  }
}

function timeOf(clock: TestClock): TestClockResponse {
  const now = clock.now();
  return { now, offsetMs: Math.max(0, now.getTime() - Date.now()) };
}

/** @throws {TestClockBackwards} @throws {TestClockTooFar} */
function targetOf({ to, amount = 0, unit = 'seconds' }: MoveTestClockDto, now: Date): Date {
  const target = to ?? new Date(now.getTime() + amount * UNIT_MS[unit]);
  if (target < now) throw new TestClockBackwards(target.toISOString(), now.toISOString());
  if (target.getTime() - now.getTime() > MAX_DAYS * UNIT_MS.days) throw new TestClockTooFar(MAX_DAYS);
  return target;
}
