import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { ExecutionDetailBatch, ExecutionDetailSchema } from './execution-detail.schema.js';
import { ExecutionDetailsController } from './execution-details.controller.js';
import { ExecutionDetailsService } from './execution-details.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: ExecutionDetailBatch.name, schema: ExecutionDetailSchema }]),
    SubscribersModule,
  ],
  controllers: [ExecutionDetailsController],
  providers: [ExecutionDetailsService],
  exports: [ExecutionDetailsService],
})
export class ExecutionDetailsModule {}
