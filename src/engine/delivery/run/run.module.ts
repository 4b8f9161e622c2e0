import { Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { SubscribersModule } from '../../../audience/subscribers/index.js';
import { TenantsModule } from '../../../audience/tenants/index.js';
import { IntegrationsModule } from '../../../channels/integrations/index.js';
import { PreferencesModule } from '../../../content/preferences/index.js';
import { WorkflowOverridesModule } from '../../../content/workflow-overrides/index.js';
import { OrganizationsModule } from '../../../platform/organizations/index.js';
import { RecipientLinksModule } from '../../../platform/recipient-links/index.js';
import { ExecutionDetailsModule } from '../../execution-details/index.js';
import { MessagesModule } from '../../messages/index.js';
import { QueuesModule } from '../queues/queues.module.js';
import { RecordsModule } from '../records/records.module.js';
import { BegunCalls, InterruptedCalls } from './begun-calls.js';
import { RunCanceler } from './cancellation.js';
import { InterruptedRuns } from './interrupted-runs.js';
import { AbandonedEvents, LostRuns } from './lost-runs.js';
import { Announcer, OutcomeWriter } from './outcome-writer.js';
import { RunClock } from './run.js';
import { RunEngine } from './run-engine.js';
import { EventFactsReader, RunLoader } from './run-loader.js';
import { StepDiscovery, StepHandlers } from './step-handler.js';
import { StepRunner } from './step-runner.js';
import { UnwrittenSends } from './unwritten-sends.js';

const BACKGROUND: Provider = {
  provide: Background,
  inject: [AppLogger],
  useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Delivery')),
};

@Module({
  imports: [
    DiscoveryModule,
    RecordsModule,
    QueuesModule,
    ExecutionDetailsModule,
    IntegrationsModule,
    MessagesModule,
    OrganizationsModule,
    PreferencesModule,
    RecipientLinksModule,
    SubscribersModule,
    TenantsModule,
    WorkflowOverridesModule,
  ],
  providers: [
    BACKGROUND,
    RunClock,
    Announcer,
    OutcomeWriter,
    EventFactsReader,
    RunLoader,
    StepHandlers,
    StepDiscovery,
    StepRunner,
    UnwrittenSends,
    InterruptedRuns,
    BegunCalls,
    InterruptedCalls,
    RunCanceler,
    RunEngine,
    LostRuns,
    AbandonedEvents,
  ],
  exports: [
    Background,
    RunClock,
    OutcomeWriter,
    EventFactsReader,
    RunLoader,
    StepHandlers,
    StepDiscovery,
    UnwrittenSends,
    InterruptedRuns,
    BegunCalls,
    InterruptedCalls,
    RunCanceler,
    RunEngine,
    LostRuns,
    AbandonedEvents,
  ],
})
export class RunModule {}
