import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { ActivityController } from './activity.controller.js';
import { DeliveryBucket, DeliveryBucketSchema } from './delivery-bucket.schema.js';
import { DeliveryHealthService } from './delivery-health.service.js';
import { DeliveryRecorder } from './delivery-recorder.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: DeliveryBucket.name, schema: DeliveryBucketSchema }]), DeliveryModule],
  controllers: [ActivityController],
  providers: [DeliveryRecorder, DeliveryHealthService],
})
export class ActivityModule {}
