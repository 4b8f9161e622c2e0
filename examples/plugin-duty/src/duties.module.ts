import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DutiesController } from './duties.controller.js';
import { DutiesService } from './duties.service.js';
import { Duty, DutySchema } from './duty.schema.js';
import { OnDutyRunner } from './find-on-duty.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Duty.name, schema: DutySchema }])],
  controllers: [DutiesController],
  providers: [DutiesService, OnDutyRunner],
})
export class DutiesModule {}
