import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { RateBucket, RateBucketSchema } from './rate-bucket.schema.js';
import { RateLimitsService } from './rate-limits.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: RateBucket.name, schema: RateBucketSchema }])],
  providers: [RateLimitsService],
  exports: [RateLimitsService],
})
export class RateLimitsModule {}
