import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { MongooseModule } from '@nestjs/mongoose';
import { RateBucket, RateBucketSchema } from './rate-bucket.schema.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimitsService } from './rate-limits.service.js';

/** Import it after AuthModule, whose guard identifies the environment. */
@Module({
  imports: [MongooseModule.forFeature([{ name: RateBucket.name, schema: RateBucketSchema }])],
  providers: [RateLimitsService, { provide: APP_GUARD, useClass: RateLimitGuard }],
})
export class RateLimitsModule {}
