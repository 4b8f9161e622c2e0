import { Module, type Provider } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { AuthModule } from '../../platform/auth/index.js';
import { BudgetsModule } from '../../content/budgets/index.js';
import { ConditionSecretsModule } from '../../platform/condition-secrets/index.js';
import { EnvironmentSecretsModule } from '../../platform/environment-secrets/index.js';
import { ExecutionDetailsModule } from '../execution-details/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { LayoutsModule } from '../../content/layouts/index.js';
import { MessagesModule } from '../messages/index.js';
import { OrganizationsModule } from '../../platform/organizations/index.js';
import { PreferencesModule } from '../../content/preferences/index.js';
import { RecipientLinksModule } from '../../platform/recipient-links/index.js';
import { RenderingModule } from '../../platform/rendering/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { SuppressionsModule } from '../../content/suppressions/index.js';
import { TenantsModule } from '../../audience/tenants/index.js';
import { TranslationsModule } from '../../content/translations/index.js';
import { TopicsModule } from '../../audience/topics/index.js';
import { WorkflowOverridesModule } from '../../content/workflow-overrides/index.js';
import { BulkReplayer } from './actions/bulk-replayer.js';
import { AwaitingRuns } from './actions/awaiting-runs.js';
import { EventErasure } from './actions/event-erasure.js';
import { HeldRuns } from './actions/held-runs.js';
import { RunErasure } from './actions/run-erasure.js';
import { CancelService } from './actions/cancel.service.js';
import { NotificationActionsController } from './actions/notification-actions.controller.js';
import { ReplayService } from './actions/replay.service.js';
import { EventInserts, EventIntake } from './event-intake.js';
import { DigestCollector } from './digest/digest-collector.js';
import { DigestExtensions } from './digest/digest-extensions.js';
import { DigestLedger } from './digest/digest-ledger.js';
import { DigestSuccession } from './digest/digest-succession.js';
import { DigestGathering, DigestStep } from './digest/digest.step.js';
import { CanceledEvents } from './expansion/canceled-events.js';
import { Departures } from './expansion/departures.js';
import { EventCanceler } from './expansion/event-canceler.js';
import { Looks } from './expansion/looks.js';
import { MarkedRuns } from './expansion/marked-runs.js';
import { RunCancellations } from './expansion/run-cancellations.js';
import { UnreachedRecipients } from './expansion/unreached-recipients.js';
import { Expander } from './expansion/expander.js';
import { ReadAhead } from './expansion/read-ahead.js';
import { RecipientPages } from './expansion/recipient-pages.js';
import { DeliveryQueues } from './queues/delivery-queues.js';
import { IntegrationBreakers } from './queues/integration-breakers.js';
import { IntegrationPaces } from './queues/integration-paces.js';
import { INTEGRATION_PACE_MODEL, IntegrationPaceSchema, PaceBook } from './queues/pace-book.js';
import { ATTACHMENT_MODEL, AttachmentSchema, AttachmentStore } from './records/attachments.js';
import { BUDGET_USE_MODEL, BudgetUses, BudgetUseSchema } from './records/budget-uses.js';
import { AwaitingEnvironments } from './records/awaiting-environments.js';
import {
  DIGEST_WINDOW_MODEL,
  DigestWindows,
  DigestWindowSchema,
  ReadOnlyDigestWindows,
} from './records/digest-windows.js';
import { NOTIFICATION_MODEL, NotificationSchema, NotificationStore } from './records/notification.js';
import { EventRetention } from './records/retention.js';
import { SIGNAL_MODEL, SignalSchema, SignalStore } from './records/signals.js';
import { ReadOnlyThrottles, THROTTLE_MODEL, Throttles, ThrottleSchema } from './records/throttles.js';
import { TRIGGER_EVENT_MODEL, TriggerEventSchema, TriggerEventStore } from './records/trigger-event.js';
import {
  RunWorkflows,
  WORKFLOW_SNAPSHOT_MODEL,
  WorkflowSnapshots,
  WorkflowSnapshotSchema,
} from './records/workflow-version.js';
import { EventRehearsals } from './rehearsal/event-rehearsals.js';
import { Rehearsal } from './rehearsal/rehearsal.js';
import { StepPreviews } from './rehearsal/step-previews.js';
import { TestSends } from './rehearsal/test-sends.js';
import { RunCanceler } from './run/cancellation.js';
import { EventFactsReader, RunLoader } from './run/run-loader.js';
import { AbandonedEvents, LostRuns } from './run/lost-runs.js';
import { Announcer, OutcomeWriter } from './run/outcome-writer.js';
import { BegunCalls, InterruptedCalls } from './run/begun-calls.js';
import { RunClock } from './run/run.js';
import { RunEngine } from './run/run-engine.js';
import { RehearsalHandlers, type StepHandler, StepHandlers } from './run/step-handler.js';
import { StepRunner } from './run/step-runner.js';
import { InterruptedRuns } from './run/interrupted-runs.js';
import { UnwrittenSends } from './run/unwritten-sends.js';
import { BudgetGate } from './steps/budget-gate.js';
import { ChatChannel } from './steps/chat.channel.js';
import { ChatExtras } from './steps/chat-extras.js';
import { ConditionWebhook } from './steps/condition-webhook.js';
import { DelayStep } from './steps/delay.step.js';
import { DeadTargets } from './steps/dead-targets.js';
import { EmailChannel } from './steps/email.channel.js';
import { EmailRecipientReader } from './steps/email-recipients.js';
import { HttpCaller, LiveHttpCaller, SampleHttpCaller } from './steps/http-caller.js';
import { HttpRequestStep } from './steps/http-request.step.js';
import { HttpRequests } from './steps/http-request.js';
import { InAppStep } from './steps/in-app.step.js';
import { MessageRendering } from './steps/message-rendering.js';
import { IntegrationGuards } from './steps/integration-guards.js';
import { IntegrationRoutes } from './steps/integration-routes.js';
import { MailTracking } from './steps/mail-tracking.js';
import { pluginSteps, PluginStepTools } from './steps/plugin.step.js';
import type { ProviderChannel } from './steps/provider-channel.js';
import { LiveTransport, ProviderTransport, RehearsalTransport } from './steps/provider-transport.js';
import { ProviderStep } from './steps/provider.step.js';
import { PushChannel } from './steps/push.channel.js';
import { SmsChannel } from './steps/sms.channel.js';
import { StepGate } from './steps/step-gate.js';
import { SuppressionGate } from './steps/suppression-gate.js';
import { TargetSender } from './steps/target-sender.js';
import { ThrottleStep } from './steps/throttle.step.js';
import { WaitAnswers } from './steps/wait-answers.js';
import { WaitForEventStep } from './steps/wait-for-event.step.js';
import { DeliveryWorker, RunWork } from './worker/delivery-worker.js';
import { EventWork } from './worker/event-work.js';

const RECORDS = [
  { name: NOTIFICATION_MODEL, schema: NotificationSchema },
  { name: TRIGGER_EVENT_MODEL, schema: TriggerEventSchema },
  { name: WORKFLOW_SNAPSHOT_MODEL, schema: WorkflowSnapshotSchema },
  { name: ATTACHMENT_MODEL, schema: AttachmentSchema },
  { name: DIGEST_WINDOW_MODEL, schema: DigestWindowSchema },
  { name: INTEGRATION_PACE_MODEL, schema: IntegrationPaceSchema },
  { name: THROTTLE_MODEL, schema: ThrottleSchema },
  { name: BUDGET_USE_MODEL, schema: BudgetUseSchema },
  { name: SIGNAL_MODEL, schema: SignalSchema },
];

const BACKGROUND: Provider = {
  provide: Background,
  inject: [AppLogger],
  useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Delivery')),
};

/** The channels that send through providers. A new one is a class and its name here. */
const CHANNELS = [EmailChannel, SmsChannel, ChatChannel, PushChannel];

interface StepParts {
  readonly gate: StepGate;
  readonly sender: TargetSender;
  readonly dead: DeadTargets;
  readonly interrupted: InterruptedCalls;
  readonly budgets: BudgetGate;
  readonly inApp: InAppStep;
  readonly digest: DigestStep;
  readonly throttle: ThrottleStep;
  readonly http: HttpRequestStep;
  readonly waits: WaitForEventStep;
  readonly channels: readonly ProviderChannel[];
}

function stepsOf({ gate, inApp, digest, throttle, http, waits, channels, ...sending }: StepParts): StepHandler[] {
  const { sender, dead, interrupted, budgets } = sending;
  return [
    inApp,
    new DelayStep(gate),
    digest,
    throttle,
    http,
    waits,
    ...channels.map((channel) => new ProviderStep(channel, gate, sender, dead, interrupted, budgets)),
  ];
}

type LiveParts = [
  BudgetGate,
  ThrottleStep,
  HttpRequests,
  HttpCaller,
  WaitForEventStep,
  InAppStep,
  ...ProviderChannel[],
];
type RehearsedParts = [
  BudgetGate,
  ReadOnlyThrottles,
  DeliveryQueues,
  HttpRequests,
  WaitForEventStep,
  InAppStep,
  ...ProviderChannel[],
];

const STEP_HANDLERS: Provider = {
  provide: StepHandlers,
  inject: [
    PluginStepTools,
    TargetSender,
    DeadTargets,
    InterruptedCalls,
    DigestStep,
    BudgetGate,
    ThrottleStep,
    HttpRequests,
    HttpCaller,
    WaitForEventStep,
    InAppStep,
    ...CHANNELS,
  ],
  useFactory: (
    tools: PluginStepTools,
    sender: TargetSender,
    dead: DeadTargets,
    interrupted: InterruptedCalls,
    digest: DigestStep,
    ...[budgets, throttle, requests, caller, waits, inApp, ...channels]: LiveParts
  ) => {
    const { gate } = tools;
    const http = new HttpRequestStep(tools, requests, caller);
    const parts = { gate, sender, dead, interrupted, budgets, inApp, digest, throttle, http, waits, channels };
    const own = stepsOf(parts);
    return new StepHandlers([...own, ...pluginSteps(tools, false)]);
  },
};

/** The same steps, but for some collaborators: messages are composed and not sent, and windows are only read. */
const REHEARSAL_HANDLERS: Provider = {
  provide: RehearsalHandlers,
  inject: [
    PluginStepTools,
    DeadTargets,
    InterruptedCalls,
    ReadOnlyDigestWindows,
    DigestGathering,
    BudgetGate,
    ReadOnlyThrottles,
    DeliveryQueues,
    HttpRequests,
    WaitForEventStep,
    InAppStep,
    ...CHANNELS,
  ],
  useFactory: (
    tools: PluginStepTools,
    dead: DeadTargets,
    interrupted: InterruptedCalls,
    windows: ReadOnlyDigestWindows,
    gathering: DigestGathering,
    ...[budgets, throttles, queues, requests, waits, inApp, ...channels]: RehearsedParts
  ) => {
    const { gate, config } = tools;
    const sender = new TargetSender(new RehearsalTransport(), config);
    const digest = new DigestStep(gate, windows, gathering);
    const throttle = new ThrottleStep(gate, throttles, queues);
    const http = new HttpRequestStep(tools, requests, new SampleHttpCaller());
    const parts = { gate, sender, dead, interrupted, budgets, inApp, digest, throttle, http, waits, channels };
    const own = stepsOf(parts);
    return new RehearsalHandlers([...own, ...pluginSteps(tools, true)]);
  },
};

@Module({
  imports: [
    MongooseModule.forFeature(RECORDS),
    AuthModule,
    BudgetsModule,
    ConditionSecretsModule,
    EnvironmentSecretsModule,
    MessagesModule,
    ExecutionDetailsModule,
    SubscribersModule,
    SuppressionsModule,
    IntegrationsModule,
    LayoutsModule,
    OrganizationsModule,
    PreferencesModule,
    RecipientLinksModule,
    RenderingModule,
    TenantsModule,
    TopicsModule,
    TranslationsModule,
    WorkflowOverridesModule,
  ],
  controllers: [NotificationActionsController],
  // By layer, lowest first: each uses only what stands before it.
  providers: [
    // records
    NotificationStore,
    TriggerEventStore,
    WorkflowSnapshots,
    RunWorkflows,
    AttachmentStore,
    DigestWindows,
    ReadOnlyDigestWindows,
    Throttles,
    ReadOnlyThrottles,
    BudgetUses,
    SignalStore,
    AwaitingEnvironments,
    EventRetention,
    // queues
    DeliveryQueues,
    PaceBook,
    IntegrationPaces,
    IntegrationBreakers,
    BACKGROUND,
    // run
    RunClock,
    Announcer,
    OutcomeWriter,
    EventFactsReader,
    RunLoader,
    StepRunner,
    UnwrittenSends,
    InterruptedRuns,
    BegunCalls,
    RunCanceler,
    RunEngine,
    LostRuns,
    AbandonedEvents,
    // steps
    ConditionWebhook,
    StepGate,
    BudgetGate,
    WaitAnswers,
    WaitForEventStep,
    MessageRendering,
    InAppStep,
    ThrottleStep,
    PluginStepTools,
    IntegrationRoutes,
    MailTracking,
    SuppressionGate,
    EmailRecipientReader,
    DeadTargets,
    IntegrationGuards,
    ChatExtras,
    InterruptedCalls,
    { provide: ProviderTransport, useClass: LiveTransport },
    TargetSender,
    HttpRequests,
    { provide: HttpCaller, useClass: LiveHttpCaller },
    ...CHANNELS,
    // digest
    DigestLedger,
    DigestCollector,
    DigestSuccession,
    DigestExtensions,
    DigestGathering,
    DigestStep,
    STEP_HANDLERS,
    REHEARSAL_HANDLERS,
    // expansion
    ReadAhead,
    RecipientPages,
    Expander,
    UnreachedRecipients,
    Looks,
    MarkedRuns,
    RunCancellations,
    CanceledEvents,
    EventCanceler,
    Departures,
    // rehearsal
    Rehearsal,
    EventRehearsals,
    StepPreviews,
    TestSends,
    // actions
    ReplayService,
    BulkReplayer,
    CancelService,
    HeldRuns,
    AwaitingRuns,
    RunErasure,
    EventErasure,
    // worker
    RunWork,
    EventWork,
    DeliveryWorker,
    // the front door
    EventInserts,
    EventIntake,
  ],
  exports: [
    NotificationStore,
    TriggerEventStore,
    EventIntake,
    EventCanceler,
    EventRehearsals,
    StepPreviews,
    TestSends,
    AwaitingRuns,
    BulkReplayer,
    DeliveryQueues,
    DeliveryWorker,
    RunErasure,
    EventErasure,
  ],
})
export class DeliveryModule {}
