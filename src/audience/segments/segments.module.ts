import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../subscribers/index.js';
import { Segment, SegmentSchema } from './segment.schema.js';
import { SegmentsController } from './segments.controller.js';
import { SegmentsService } from './segments.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Segment.name, schema: SegmentSchema }]), SubscribersModule],
  controllers: [SegmentsController],
  providers: [SegmentsService],
  exports: [SegmentsService],
})
export class SegmentsModule {}
