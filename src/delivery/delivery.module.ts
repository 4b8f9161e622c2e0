import { Inject, Injectable, Module, OnApplicationShutdown, type Provider } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { createOutboundHttp, type OutboundHttp } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { createRenderer } from '#libs/templates';
import { AuthModule } from '../auth/index.js';
import { ExecutionDetailsModule } from '../execution-details/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { MessagesModule } from '../messages/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { PreferencesModule } from '../preferences/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { TenantsModule } from '../tenants/index.js';
import { EventIntake } from './accept/event-intake.js';
import { DeliveryDrain } from './delivery-drain.js';
import { DeliveryWork } from './delivery-work.js';
import { DeliveryWorker } from './delivery-worker.js';
import { OUTBOUND_HTTP, RENDERER } from './delivery.tokens.js';
import { DigestCollector } from './digest/digest-collector.js';
import { DigestLedger } from './digest/digest-ledger.js';
import { DigestParticipation } from './digest/digest-participation.js';
import { DIGEST_WINDOW_MODEL, DigestWindows, DigestWindowSchema } from './digest/digest-windows.js';
import { EventCanceler } from './expansion/event-canceler.js';
import { EventWork } from './expansion/event-work.js';
import { Expander } from './expansion/expander.js';
import { Launcher } from './expansion/launcher.js';
import { RecipientPages } from './expansion/recipient-pages.js';
import { EventFactsReader } from './facts/event-facts.js';
import { PreferenceFacts } from './facts/preference-facts.js';
import { RunLoader } from './facts/run-loader.js';
import { WORKFLOW_SNAPSHOT_MODEL, WorkflowSnapshots, WorkflowSnapshotSchema } from './facts/workflow-snapshots.js';
import { LostRuns } from './run/lost-runs.js';
import { NotificationWork } from './run/notification-work.js';
import { OutcomeWriter } from './run/outcome-writer.js';
import { RunCanceler } from './run/run-canceler.js';
import { RunEngine } from './run/run-engine.js';
import { StepRunner } from './run/step-runner.js';
import { ConditionChecker } from './steps/condition-checker.js';
import { ConditionWebhook } from './steps/condition-webhook.js';
import { DelayStep } from './steps/delay.step.js';
import { DigestStep } from './steps/digest.step.js';
import { InAppStep } from './steps/in-app.step.js';
import { StepGate } from './steps/step-gate.js';
import type { StepHandler } from './steps/step-handler.js';
import { StepHandlers } from './steps/step-handlers.js';
import { VariantChooser } from './steps/variant-chooser.js';
import { Background } from './work/background.js';
import { LaneBoard } from './work/lane-board.js';
import { WorkBoard } from './work/work-board.js';
import { WorkQueues } from './work/work-queues.js';

/** Every type of step that runs can have. A new one is one class here. */
const STEPS = [InAppStep, DigestStep, DelayStep];

const HANDLERS: Provider = {
  provide: StepHandlers,
  inject: STEPS,
  useFactory: (...handlers: StepHandler[]) => new StepHandlers(handlers),
};

const OUTSIDE: Provider[] = [
  { provide: RENDERER, useFactory: () => createRenderer() },
  {
    provide: OUTBOUND_HTTP,
    inject: [AppConfig],
    useFactory: (config: AppConfig) => createOutboundHttp({ allowPrivateUrls: config.get('ALLOW_PRIVATE_URLS') }),
  },
];

@Injectable()
class OutboundHttpShutdown implements OnApplicationShutdown {
  constructor(@Inject(OUTBOUND_HTTP) private readonly http: OutboundHttp) {}

  onApplicationShutdown(): Promise<void> {
    return this.http.close();
  }
}

const WORK = [Background, LaneBoard, WorkBoard, WorkQueues, DeliveryWork, DeliveryWorker, DeliveryDrain];
const FACTS = [WorkflowSnapshots, EventFactsReader, PreferenceFacts, RunLoader];
const RUNS = [RunEngine, StepRunner, OutcomeWriter, RunCanceler, LostRuns, NotificationWork];
const CONDITIONS = [StepGate, ConditionChecker, ConditionWebhook, VariantChooser];
const DIGESTS = [DigestLedger, DigestCollector, DigestParticipation, DigestWindows];
const EXPANSION = [EventIntake, EventCanceler, EventWork, Expander, Launcher, RecipientPages];

/** The engine: takes accepted events to their end. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: WORKFLOW_SNAPSHOT_MODEL, schema: WorkflowSnapshotSchema },
      { name: DIGEST_WINDOW_MODEL, schema: DigestWindowSchema },
    ]),
    AuthModule,
    NotificationsModule,
    MessagesModule,
    ExecutionDetailsModule,
    SubscribersModule,
    IntegrationsModule,
    PreferencesModule,
    TenantsModule,
  ],
  providers: [
    ...WORK,
    ...FACTS,
    ...RUNS,
    ...CONDITIONS,
    ...DIGESTS,
    ...EXPANSION,
    ...STEPS,
    HANDLERS,
    ...OUTSIDE,
    OutboundHttpShutdown,
  ],
  exports: [EventIntake, EventCanceler, WorkflowSnapshots, DeliveryWorker, DeliveryDrain],
})
export class DeliveryModule {}
