import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../platform/auth/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { SegmentsModule } from '../../audience/segments/index.js';
import { TenantsModule } from '../../audience/tenants/index.js';
import { TopicsModule } from '../../audience/topics/index.js';
import { WorkflowOverridesModule } from '../../content/workflow-overrides/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { DryRunService } from './dry-run.service.js';
import { EventEndsModule } from './event-ends.module.js';
import { EventLookup } from './event-lookup.js';
import { EventWaits } from './event-waits.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { RecipientReader } from './recipients.js';
import { RefusedTriggersController } from './refused-triggers.controller.js';
import { REFUSED_TRIGGER_MODEL, RefusedTriggers, RefusedTriggerSchema } from './refused-triggers.js';
import { SignalsController } from './signals.controller.js';
import { SignalsService } from './signals.service.js';
import { TriggerGate } from './trigger-gate.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: REFUSED_TRIGGER_MODEL, schema: RefusedTriggerSchema }]),
    AuthModule,
    DeliveryModule,
    EnvironmentsModule,
    EventEndsModule,
    IntegrationsModule,
    TopicsModule,
    SegmentsModule,
    WorkflowsModule,
    WorkflowOverridesModule,
    TenantsModule,
  ],
  controllers: [EventsController, SignalsController, RefusedTriggersController],
  providers: [
    EventsService,
    DryRunService,
    EventLookup,
    EventWaits,
    SignalsService,
    TriggerGate,
    RecipientReader,
    RefusedTriggers,
  ],
  exports: [EventsService, DryRunService, EventLookup, RefusedTriggers],
})
export class EventsModule {}
