import { Module } from '@nestjs/common';
import { BudgetDigestsModule } from './budget-digests/index.js';
import { DeliveryModule } from './delivery/index.js';
import { EventsModule } from './events/index.js';
import { ExecutionDetailsModule } from './execution-details/index.js';
import { MessagesModule } from './messages/index.js';
import { PreviewsModule } from './previews/index.js';
import { QuestionsModule } from './questions/index.js';
import { SchedulesModule } from './schedules/index.js';
import { StepTypesModule } from './step-types/index.js';
import { TriggerWorkflowModule } from './trigger-workflow/index.js';

@Module({
  imports: [
    ExecutionDetailsModule,
    MessagesModule,
    DeliveryModule,
    EventsModule,
    BudgetDigestsModule,
    PreviewsModule,
    QuestionsModule,
    SchedulesModule,
    StepTypesModule,
    TriggerWorkflowModule,
  ],
})
export class EngineModule {}
