import { Module } from '@nestjs/common';
import { SegmentsModule } from '../../../audience/segments/index.js';
import { SubscribersModule } from '../../../audience/subscribers/index.js';
import { TopicsModule } from '../../../audience/topics/index.js';
import { PreferencesModule } from '../../../content/preferences/index.js';
import { ExecutionDetailsModule } from '../../execution-details/index.js';
import { QueuesModule } from '../queues/queues.module.js';
import { RecordsModule } from '../records/records.module.js';
import { RunModule } from '../run/run.module.js';
import { CanceledEvents } from './canceled-events.js';
import { Departures } from './departures.js';
import { EventCanceler } from './event-canceler.js';
import { Expander } from './expander.js';
import { GroupPages } from './group-pages.js';
import { Looks } from './looks.js';
import { MarkedRuns } from './marked-runs.js';
import { ReadAhead } from './read-ahead.js';
import { RecipientPages } from './recipient-pages.js';
import { RunCancellations } from './run-cancellations.js';
import { UnreachedRecipients } from './unreached-recipients.js';

@Module({
  imports: [
    RecordsModule,
    QueuesModule,
    RunModule,
    ExecutionDetailsModule,
    PreferencesModule,
    SubscribersModule,
    TopicsModule,
    SegmentsModule,
  ],
  providers: [
    ReadAhead,
    GroupPages,
    RecipientPages,
    Expander,
    UnreachedRecipients,
    Looks,
    MarkedRuns,
    RunCancellations,
    CanceledEvents,
    EventCanceler,
    Departures,
  ],
  exports: [
    ReadAhead,
    GroupPages,
    RecipientPages,
    Expander,
    RunCancellations,
    CanceledEvents,
    EventCanceler,
    Departures,
  ],
})
export class ExpansionModule {}
