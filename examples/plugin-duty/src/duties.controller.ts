import { Body, Controller, Get, Param, Put, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiData, ApiDataArray, ApiErrors, IsName, Tenant, type TenantContext } from 'herald/plugin';
import { DutiesService, DutyResponse } from './duties.service.js';
import { FrozenTeamsGuard, TeamIsFrozen } from './frozen-teams.guard.js';

class PutDutyDto {
  @IsName()
  @ApiProperty({ description: 'Id of the subscriber who is on duty.', example: 'ada' })
  subscriberId: string;

  @IsOptional()
  @IsName()
  @ApiPropertyOptional({ description: 'Why it is this one.', default: 'By the plan' })
  reason?: string;
}

@ApiTags('Duties')
@Controller({ path: 'duties', version: '1' })
export class DutiesController {
  constructor(private readonly duties: DutiesService) {}

  @Get()
  @ApiOperation({ summary: 'Lists who is on duty, by team.' })
  @ApiDataArray(200, DutyResponse)
  listDuties(@Tenant() tenant: TenantContext): Promise<DutyResponse[]> {
    return this.duties.list(tenant);
  }

  @Put(':team')
  @UseGuards(FrozenTeamsGuard)
  @ApiParam({ name: 'team', description: 'Name of the team.', example: 'payments' })
  @ApiOperation({ summary: 'Says who of a team is on duty.' })
  @ApiData(200, DutyResponse)
  @ApiErrors(TeamIsFrozen)
  putDuty(
    @Tenant() tenant: TenantContext,
    @Param('team') team: string,
    @Body() { subscriberId, reason = 'By the plan' }: PutDutyDto,
  ): Promise<DutyResponse> {
    return this.duties.put(tenant, { team, subscriberId, reason });
  }
}
