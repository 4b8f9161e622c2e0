import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ExecutionDetailBatch, ExecutionDetailSchema } from './execution-detail.schema.js';
import { ExecutionDetailsService } from './execution-details.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: ExecutionDetailBatch.name, schema: ExecutionDetailSchema }])],
  providers: [ExecutionDetailsService],
  exports: [ExecutionDetailsService],
})
export class ExecutionDetailsModule {}
