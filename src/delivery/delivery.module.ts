import { Inject, Injectable, Module, OnApplicationShutdown, type Provider } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { createOutboundHttp, type OutboundHttp } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { AuthModule } from '../auth/index.js';
import { ConditionSecretsModule } from '../condition-secrets/index.js';
import { ExecutionDetailsModule } from '../execution-details/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { LayoutsModule } from '../layouts/index.js';
import { MessagesModule } from '../messages/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { PreferencesModule } from '../preferences/index.js';
import { RenderingModule } from '../rendering/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { TenantsModule } from '../tenants/index.js';
import { TopicsModule } from '../topics/index.js';
import { WorkflowOverridesModule } from '../workflow-overrides/index.js';
import { ATTACHMENT_MODEL, AttachmentSchema, AttachmentStore } from './records/attachment-store.js';
import { EventIntake } from './worker/event-intake.js';
import { ChannelEntries } from './steps/channel-entries.js';
import type { ChannelShape } from './steps/provider-channel.js';
import { ChannelStep, type ChannelTools } from './steps/provider.step.js';
import { ChatShape } from './steps/chat.channel.js';
import { DeadTokens } from './steps/dead-tokens.js';
import { EmailShape } from './steps/email.channel.js';
import { IntegrationChooser } from './steps/integration-chooser.js';
import { LayoutChooser } from './steps/layout-chooser.js';
import { MessageJournal } from './steps/message-journal.js';
import { PushShape } from './steps/push.channel.js';
import { SmsShape } from './steps/sms.channel.js';
import { TargetSender } from './steps/target-sender.js';
import { DeliveryDrain } from './delivery-drain.js';
import { DeliveryWork } from './delivery-work.js';
import { DeliveryWorker } from './delivery-worker.js';
import { CHANNEL_TOOLS, OUTBOUND_HTTP } from './delivery.tokens.js';
import { DigestCollector } from './digest/digest-collector.js';
import { DigestLedger } from './digest/digest-ledger.js';
import { DigestParticipation } from './digest/digest-participation.js';
import { DigestSuccession } from './digest/digest-succession.js';
import { DIGEST_WINDOW_MODEL, DigestWindows, DigestWindowSchema } from './records/digest-windows.js';
import { AbandonedEvents } from './expansion/abandoned-events.js';
import { EventCanceler } from './expansion/event-canceler.js';
import { EventWork } from './expansion/event-work.js';
import { Expander } from './expansion/expander.js';
import { Launcher } from './expansion/launcher.js';
import { RecipientPages } from './expansion/recipient-pages.js';
import { EventFactsReader } from './run/event-facts.js';
import { PreferenceFacts } from './run/preference-facts.js';
import { NOTIFICATION_MODEL, NotificationSchema } from './records/notification.record.js';
import { NotificationStore } from './records/notification-store.js';
import { TRIGGER_EVENT_MODEL, TriggerEventSchema } from './records/trigger-event.record.js';
import { TriggerEventStore } from './records/trigger-event-store.js';
import { RunLoader } from './run/run-loader.js';
import { WORKFLOW_SNAPSHOT_MODEL, WorkflowSnapshots, WorkflowSnapshotSchema } from './records/workflow-snapshots.js';
import { ReplayController } from './replay/replay.controller.js';
import { ReplayService } from './replay/replay.service.js';
import { Announcer } from './run/announcer.js';
import { CancelWatch } from './run/cancel-watch.js';
import { EventRetention } from './records/event-retention.js';
import { LostRuns } from './run/lost-runs.js';
import { NotificationWork } from './run/notification-work.js';
import { OutcomeWriter } from './run/outcome-writer.js';
import { RunCanceler } from './run/run-canceler.js';
import { RunEngine } from './run/run-engine.js';
import { StepRunner } from './run/step-runner.js';
import { ConditionChecker } from './steps/condition-checker.js';
import { ConditionWebhook } from './steps/condition-webhook.js';
import { DelayStep } from './steps/delay.step.js';
import { DigestStep } from './digest/digest.step.js';
import { InAppStep } from './steps/in-app.step.js';
import { StepGate } from './steps/step-gate.js';
import type { StepHandler } from './run/step-handler.js';
import { StepHandlers } from './steps/step-handlers.js';
import { VariantChooser } from './steps/variant-chooser.js';
import { Background } from './work/background.js';
import { LaneBoard } from './work/lane-board.js';
import { Leases } from './work/leases.js';
import { Suspects } from './work/suspects.js';
import { WorkBoard } from './work/work-board.js';
import { WorkQueues } from './work/work-queues.js';

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

const OUTSIDE: Provider[] = [
  {
    provide: OUTBOUND_HTTP,
    inject: [AppConfig],
    useFactory: (config: AppConfig) =>
      createOutboundHttp({
        allowPrivateUrls: config.get('ALLOW_PRIVATE_URLS'),
        privateHosts: config.get('PRIVATE_HOSTS'),
      }),
  },
];

@Injectable()
class OutboundHttpShutdown implements OnApplicationShutdown {
  constructor(@Inject(OUTBOUND_HTTP) private readonly http: OutboundHttp) {}

  onApplicationShutdown(): Promise<void> {
    return this.http.close();
  }
}

const WORK = [
  Background,
  LaneBoard,
  Leases,
  Suspects,
  WorkBoard,
  WorkQueues,
  DeliveryWork,
  DeliveryWorker,
  DeliveryDrain,
];
const FACTS = [NotificationStore, TriggerEventStore, WorkflowSnapshots, EventFactsReader, PreferenceFacts, RunLoader];
const RUNS = [
  Announcer,
  CancelWatch,
  EventRetention,
  RunEngine,
  StepRunner,
  OutcomeWriter,
  RunCanceler,
  LostRuns,
  NotificationWork,
];
const CONDITIONS = [StepGate, ConditionChecker, ConditionWebhook, VariantChooser];
const CHANNELS = [TargetSender, MessageJournal, DeadTokens, IntegrationChooser, LayoutChooser, ChannelEntries];
const DIGESTS = [DigestLedger, DigestCollector, DigestSuccession, DigestParticipation, DigestWindows];
const EXPANSION = [
  AbandonedEvents,
  AttachmentStore,
  EventIntake,
  EventCanceler,
  EventWork,
  Expander,
  Launcher,
  RecipientPages,
];

/** The engine: takes accepted events to their end. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: NOTIFICATION_MODEL, schema: NotificationSchema },
      { name: TRIGGER_EVENT_MODEL, schema: TriggerEventSchema },
      { name: WORKFLOW_SNAPSHOT_MODEL, schema: WorkflowSnapshotSchema },
      { name: ATTACHMENT_MODEL, schema: AttachmentSchema },
      { name: DIGEST_WINDOW_MODEL, schema: DigestWindowSchema },
    ]),
    AuthModule,
    ConditionSecretsModule,
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
    ...WORK,
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
    ...OUTSIDE,
    OutboundHttpShutdown,
  ],
  exports: [
    NotificationStore,
    TriggerEventStore,
    AttachmentStore,
    EventIntake,
    EventCanceler,
    WorkflowSnapshots,
    DeliveryWorker,
    DeliveryDrain,
  ],
})
export class DeliveryModule {}
