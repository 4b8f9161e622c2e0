import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, NotAudited, Tenant } from '#libs/http-kit';
import { MoveTestClockDto } from './test-clock.dto.js';
import { MovedTestClockResponse, TestClockResponse } from './test-clock.response.js';
import { TestClockService } from './test-clock.service.js';
import { TestClockBackwards, TestClockInProduction, TestClockOff, TestClockTooFar } from './testing.errors.js';

@ApiTags('Testing')
@Controller({ path: 'testing/clock', version: '1' })
export class TestingController {
  constructor(private readonly clock: TestClockService) {}

  /** Gets the time of a Herald for tests. */
  @Get()
  @ApiData(200, TestClockResponse)
  @ApiErrors(TestClockOff, TestClockInProduction)
  getTestClock(@Tenant() tenant: TenantContext): Promise<TestClockResponse> {
    return this.clock.show(tenant);
  }

  /**
   * Moves the time of a Herald for tests forward.
   * @remarks Delays, digests, schedules, waits, throttles and budgets that end until then do so in the order of their times, and the
   * answer comes when everything that became due is done. The time is that of all environments of this Herald. It needs
   * TEST_CLOCK=on, and is refused elsewhere and with keys of Production.
   */
  @Post()
  @NotAudited('only in a Herald for tests')
  @HttpCode(200)
  @ApiData(200, MovedTestClockResponse)
  @ApiErrors(TestClockOff, TestClockInProduction, TestClockBackwards, TestClockTooFar)
  moveTestClock(@Tenant() tenant: TenantContext, @Body() dto: MoveTestClockDto): Promise<MovedTestClockResponse> {
    return this.clock.move(tenant, dto);
  }
}
