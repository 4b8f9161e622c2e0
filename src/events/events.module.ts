import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { TopicsModule } from '../topics/index.js';
import { WorkflowOverridesModule } from '../workflow-overrides/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { RecipientReader } from './recipient-reader.js';
import { TriggerGate } from './trigger-gate.js';

@Module({
  imports: [DeliveryModule, IntegrationsModule, TopicsModule, WorkflowsModule, WorkflowOverridesModule, TenantsModule],
  controllers: [EventsController],
  providers: [EventsService, TriggerGate, RecipientReader],
})
export class EventsModule {}
