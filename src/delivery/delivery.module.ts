import { Module, type Provider } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AppLogger } from '#libs/http-kit';
import { Background, Leases } from '#libs/work';
import { AuthModule } from '../auth/index.js';
import { ConditionSecretsModule } from '../condition-secrets/index.js';
import { ExecutionDetailsModule } from '../execution-details/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { LayoutsModule } from '../layouts/index.js';
import { MessagesModule } from '../messages/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { PreferencesModule } from '../preferences/index.js';
import { RenderingModule } from '../rendering/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { TenantsModule } from '../tenants/index.js';
import { TopicsModule } from '../topics/index.js';
import { WorkflowOverridesModule } from '../workflow-overrides/index.js';
import { ATTACHMENT_MODEL, AttachmentSchema, AttachmentStore } from './accept/attachment-store.js';
import { EventIntake } from './accept/event-intake.js';
import { ChannelEntries } from './channels/channel-entries.js';
import type { ChannelShape } from './channels/channel-shape.js';
import { ChannelStep, type ChannelTools } from './channels/channel-step.js';
import { ChatShape } from './channels/chat.shape.js';
import { DeadTokens } from './channels/dead-tokens.js';
import { EmailShape } from './channels/email.shape.js';
import { IntegrationChooser } from './channels/integration-chooser.js';
import { LayoutChooser } from './channels/layout-chooser.js';
import { MessageJournal } from './channels/message-journal.js';
import { PushShape } from './channels/push.shape.js';
import { SmsShape } from './channels/sms.shape.js';
import { TargetSender } from './channels/target-sender.js';
import { CHANNEL_TOOLS } from './delivery.tokens.js';
import { DigestCollector } from './digest/digest-collector.js';
import { DigestLedger } from './digest/digest-ledger.js';
import { DigestParticipation } from './digest/digest-participation.js';
import { DigestSuccession } from './digest/digest-succession.js';
import { DIGEST_WINDOW_MODEL, DigestWindows, DigestWindowSchema } from './digest/digest-windows.js';
import { AbandonedEvents } from './expansion/abandoned-events.js';
import { EventCanceler } from './expansion/event-canceler.js';
import { Expander } from './expansion/expander.js';
import { Launcher } from './expansion/launcher.js';
import { RecipientPages } from './expansion/recipient-pages.js';
import { EventFactsReader } from './facts/event-facts.js';
import { PreferenceFacts } from './facts/preference-facts.js';
import { RunLoader } from './facts/run-loader.js';
import { WORKFLOW_SNAPSHOT_MODEL, WorkflowSnapshots, WorkflowSnapshotSchema } from './facts/workflow-snapshots.js';
import { ActiveRuns } from './queues/active-runs.js';
import { DeliveryQueues } from './queues/delivery-queues.js';
import { ReplayController } from './replay/replay.controller.js';
import { ReplayService } from './replay/replay.service.js';
import { Announcer } from './run/announcer.js';
import { CancelWatch } from './run/cancel-watch.js';
import { EventRetention } from './run/event-retention.js';
import { LostRuns } from './run/lost-runs.js';
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
import { DeliveryWorker } from './worker/delivery-worker.js';
import { EventWork } from './worker/event-work.js';
import { RunWork } from './worker/run-work.js';

/** Channels that send through providers. A new one is one class here. */
const SHAPES = [EmailShape, SmsShape, ChatShape, PushShape];

/** Steps that are not sent through providers. */
const STEPS = [InAppStep, DigestStep, DelayStep];

const HANDLERS: Provider = {
  provide: StepHandlers,
  inject: [CHANNEL_TOOLS, ...STEPS, ...SHAPES],
  useFactory: (tools: ChannelTools, ...parts: (StepHandler | ChannelShape)[]) =>
    new StepHandlers(parts.map((part) => ('channel' in part ? new ChannelStep(part, tools) : part))),
};

const TOOLS: Provider = {
  provide: CHANNEL_TOOLS,
  inject: [StepGate, VariantChooser, TargetSender, MessageJournal, DeadTokens],
  useFactory: (
    gate: StepGate,
    variants: VariantChooser,
    sender: TargetSender,
    journal: MessageJournal,
    deadTokens: DeadTokens,
  ): ChannelTools => ({ gate, variants, sender, journal, deadTokens }),
};

const QUEUES: Provider[] = [
  DeliveryQueues,
  ActiveRuns,
  {
    provide: Leases,
    inject: [DeliveryQueues],
    useFactory: (queues: DeliveryQueues) => new Leases(queues.notifications),
  },
  {
    provide: Background,
    inject: [AppLogger],
    useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Delivery')),
  },
];
const WORKER = [DeliveryWorker, EventWork, RunWork];
const FACTS = [WorkflowSnapshots, EventFactsReader, PreferenceFacts, RunLoader];
const RUNS = [Announcer, CancelWatch, EventRetention, RunEngine, StepRunner, OutcomeWriter, RunCanceler, LostRuns];
const CONDITIONS = [StepGate, ConditionChecker, ConditionWebhook, VariantChooser];
const CHANNELS = [TargetSender, MessageJournal, DeadTokens, IntegrationChooser, LayoutChooser, ChannelEntries];
const DIGESTS = [DigestLedger, DigestCollector, DigestSuccession, DigestParticipation, DigestWindows];
const EXPANSION = [AbandonedEvents, AttachmentStore, EventIntake, EventCanceler, Expander, Launcher, RecipientPages];

/** The engine: takes accepted events to their end. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: WORKFLOW_SNAPSHOT_MODEL, schema: WorkflowSnapshotSchema },
      { name: ATTACHMENT_MODEL, schema: AttachmentSchema },
      { name: DIGEST_WINDOW_MODEL, schema: DigestWindowSchema },
    ]),
    AuthModule,
    ConditionSecretsModule,
    NotificationsModule,
    MessagesModule,
    ExecutionDetailsModule,
    SubscribersModule,
    IntegrationsModule,
    LayoutsModule,
    OrganizationsModule,
    PreferencesModule,
    RenderingModule,
    TenantsModule,
    TopicsModule,
    WorkflowOverridesModule,
  ],
  controllers: [ReplayController],
  providers: [
    ReplayService,
    ...QUEUES,
    ...WORKER,
    ...FACTS,
    ...RUNS,
    ...CONDITIONS,
    ...DIGESTS,
    ...EXPANSION,
    ...CHANNELS,
    ...SHAPES,
    ...STEPS,
    TOOLS,
    HANDLERS,
  ],
  exports: [AttachmentStore, EventIntake, EventCanceler, WorkflowSnapshots, DeliveryWorker],
})
export class DeliveryModule {}
