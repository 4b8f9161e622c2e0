import { Module } from '@nestjs/common';
import { EventsModule } from '../events/index.js';
import { TriggerWorkflowStep } from './trigger-workflow.step.js';

@Module({ imports: [EventsModule], providers: [TriggerWorkflowStep] })
export class TriggerWorkflowModule {}
