import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ApiProperty } from '@nestjs/swagger';
import { onDuplicateKey, ownedBy, RecordResponse, shower, type TenantContext, type TenantModel } from 'herald/plugin';
import { Duty } from './duty.schema.js';

export class DutyResponse extends RecordResponse {
  @ApiProperty({ description: 'Name of the team.', example: 'payments' })
  team: string;

  @ApiProperty({ description: 'Id of the subscriber who is on duty.', example: 'ada' })
  subscriberId: string;

  @ApiProperty({ description: 'Why it is this one.', example: 'By the plan' })
  reason: string;
}

const show = shower(DutyResponse, ({ team, subscriberId, reason }: Duty) => ({ team, subscriberId, reason }));

type Environment = Pick<TenantContext, 'environmentId'>;

@Injectable()
export class DutiesService {
  constructor(@InjectModel(Duty.name) private readonly duties: TenantModel<Duty>) {}

  async list(tenant: TenantContext): Promise<DutyResponse[]> {
    const rows = await this.duties.list(tenant, {}, { sort: { team: 1 } });
    return rows.map((row) => show(row));
  }

  async put(tenant: TenantContext, duty: Pick<Duty, 'team' | 'subscriberId' | 'reason'>): Promise<DutyResponse> {
    const { team, ...change } = duty;
    const filter = { _environmentId: tenant.environmentId, team };
    const update = { $set: change, $setOnInsert: ownedBy(tenant) };
    const write = () =>
      this.duties.findOneAndUpdate(filter, update, { upsert: true, returnDocument: 'after' }).lean().orFail();
    // Of two who name the first one of a team at once, the second one changes it.
    return show(await write().catch(onDuplicateKey(write)));
  }

  async onDuty(tenant: Environment, team: string): Promise<string | undefined> {
    const found = await this.duties.findOne({ _environmentId: tenant.environmentId, team }).lean();
    return found?.subscriberId;
  }
}
