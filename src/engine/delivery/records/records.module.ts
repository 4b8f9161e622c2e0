import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../../../audience/subscribers/index.js';
import { ExecutionDetailsModule } from '../../execution-details/index.js';
import { ATTACHMENT_MODEL, AttachmentSchema, AttachmentStore } from './attachments.js';
import { AwaitingEnvironments } from './awaiting-environments.js';
import { BUDGET_USE_MODEL, BudgetUses, BudgetUseSchema } from './budget-uses.js';
import { DIGEST_WINDOW_MODEL, DigestWindows, DigestWindowSchema } from './digest-windows.js';
import { NOTIFICATION_MODEL, NotificationSchema, NotificationStore } from './notification.js';
import { EventRetention } from './retention.js';
import { SIGNAL_MODEL, SignalSchema, SignalStore } from './signals.js';
import { THROTTLE_MODEL, Throttles, ThrottleSchema } from './throttles.js';
import { TRIGGER_EVENT_MODEL, TriggerEventSchema, TriggerEventStore } from './trigger-event.js';
import {
  RunWorkflows,
  WORKFLOW_SNAPSHOT_MODEL,
  WorkflowSnapshots,
  WorkflowSnapshotSchema,
} from './workflow-version.js';

const RECORDS = [
  { name: NOTIFICATION_MODEL, schema: NotificationSchema },
  { name: TRIGGER_EVENT_MODEL, schema: TriggerEventSchema },
  { name: WORKFLOW_SNAPSHOT_MODEL, schema: WorkflowSnapshotSchema },
  { name: ATTACHMENT_MODEL, schema: AttachmentSchema },
  { name: DIGEST_WINDOW_MODEL, schema: DigestWindowSchema },
  { name: THROTTLE_MODEL, schema: ThrottleSchema },
  { name: BUDGET_USE_MODEL, schema: BudgetUseSchema },
  { name: SIGNAL_MODEL, schema: SignalSchema },
];

const STORES = [
  NotificationStore,
  TriggerEventStore,
  WorkflowSnapshots,
  RunWorkflows,
  AttachmentStore,
  DigestWindows,
  Throttles,
  BudgetUses,
  SignalStore,
  AwaitingEnvironments,
  EventRetention,
];

@Module({
  imports: [MongooseModule.forFeature(RECORDS), ExecutionDetailsModule, SubscribersModule],
  providers: STORES,
  exports: STORES,
})
export class RecordsModule {}
