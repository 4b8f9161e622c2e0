import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IntegrationsModule } from '../../../channels/integrations/index.js';
import { RecordsModule } from '../records/records.module.js';
import { DeliveryQueues } from './delivery-queues.js';
import { IntegrationBreakers } from './integration-breakers.js';
import { IntegrationPaces } from './integration-paces.js';
import { INTEGRATION_PACE_MODEL, IntegrationPaceSchema, PaceBook } from './pace-book.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: INTEGRATION_PACE_MODEL, schema: IntegrationPaceSchema }]),
    RecordsModule,
    IntegrationsModule,
  ],
  providers: [DeliveryQueues, PaceBook, IntegrationPaces, IntegrationBreakers],
  exports: [DeliveryQueues, IntegrationPaces, IntegrationBreakers],
})
export class QueuesModule {}
