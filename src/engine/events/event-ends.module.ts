import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/index.js';
import { EventEnds } from './event-ends.js';
import { EventOutcomes } from './event-outcomes.js';

/** What processes without the API need of events. */
@Module({ imports: [DeliveryModule], providers: [EventEnds, EventOutcomes], exports: [EventEnds, EventOutcomes] })
export class EventEndsModule {}
