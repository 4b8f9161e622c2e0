import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { DescribedSubscribers } from './described-subscribers.js';
import { ERASURE_MODEL, Erasures, ErasureSchema } from './erasures.js';
import { Subscriber, SubscriberSchema } from './subscriber.schema.js';
import { SubscriberDirectory } from './subscriber-directory.js';
import { SubscriberPresence } from './subscriber-presence.js';
import { SubscriberRecords } from './subscriber-records.js';
import { SubscriberSelection } from './subscriber-selection.js';
import { SubscriberSummaries } from './subscriber-summaries.js';
import { SubscriberUpserts } from './subscriber-upserts.js';
import { SubscribersController } from './subscribers.controller.js';
import { SubscribersService } from './subscribers.service.js';
import { SuppressedAddresses } from './suppressed-addresses.js';

@Module({
  imports: [
    IntegrationsModule,
    MongooseModule.forFeature([
      { name: Subscriber.name, schema: SubscriberSchema },
      { name: ERASURE_MODEL, schema: ErasureSchema },
    ]),
  ],
  controllers: [SubscribersController],
  providers: [
    SubscribersService,
    DescribedSubscribers,
    SubscriberSummaries,
    SubscriberUpserts,
    SubscriberDirectory,
    SubscriberPresence,
    SubscriberRecords,
    SubscriberSelection,
    SuppressedAddresses,
    Erasures,
  ],
  exports: [
    SubscribersService,
    DescribedSubscribers,
    SubscriberDirectory,
    SubscriberSummaries,
    SubscriberPresence,
    SubscriberRecords,
    SubscriberSelection,
    SuppressedAddresses,
    Erasures,
  ],
})
export class SubscribersModule {}
