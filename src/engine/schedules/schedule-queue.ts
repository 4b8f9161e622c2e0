import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import { WorkQueue } from '#libs/work';
import { Schedule, SCHEDULE_SHARD_KEY } from './schedule.schema.js';

@Injectable()
export class ScheduleQueue extends WorkQueue<Schedule> {
  constructor(@InjectModel(Schedule.name) schedules: TenantModel<Schedule>, clock: Clock, config: AppConfig) {
    super({
      collection: () => schedules.collection as unknown as mongo.Collection<Schedule>,
      groupBy: '_environmentId',
      shardKey: SCHEDULE_SHARD_KEY,
      clock,
      leaseMs: config.get('DELIVERY_LEASE_MS'),
    });
  }
}
