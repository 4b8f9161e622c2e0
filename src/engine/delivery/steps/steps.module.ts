import { Inject, Module, type Provider } from '@nestjs/common';
import { SubscribersModule } from '../../../audience/subscribers/index.js';
import { IntegrationsModule } from '../../../channels/integrations/index.js';
import { BudgetsModule } from '../../../content/budgets/index.js';
import { LayoutsModule } from '../../../content/layouts/index.js';
import { SuppressionsModule } from '../../../content/suppressions/index.js';
import { TranslationsModule } from '../../../content/translations/index.js';
import { AuthModule } from '../../../platform/auth/index.js';
import { ConditionSecretsModule } from '../../../platform/condition-secrets/index.js';
import { EnvironmentSecretsModule } from '../../../platform/environment-secrets/index.js';
import { RenderingModule } from '../../../platform/rendering/index.js';
import { MessagesModule } from '../../messages/index.js';
import { QueuesModule } from '../queues/queues.module.js';
import { RecordsModule } from '../records/records.module.js';
import { RunModule } from '../run/run.module.js';
import { type StepHandler, StepHandlers } from '../run/step-handler.js';
import { BudgetGate } from './budget-gate.js';
import { ChatChannel } from './chat.channel.js';
import { ChatExtras } from './chat-extras.js';
import { ConditionWebhook } from './condition-webhook.js';
import { DeadTargets } from './dead-targets.js';
import { DelayStep } from './delay.step.js';
import { EmailChannel } from './email.channel.js';
import { EmailRecipientReader } from './email-recipients.js';
import { HttpCaller, LiveHttpCaller } from './http-caller.js';
import { HttpRequestStep } from './http-request.step.js';
import { HttpRequests } from './http-request.js';
import { InAppStep } from './in-app.step.js';
import { IntegrationGuards } from './integration-guards.js';
import { IntegrationRoutes } from './integration-routes.js';
import { MailTracking } from './mail-tracking.js';
import { MessageRendering } from './message-rendering.js';
import { PluginSteps, PluginStepTools } from './plugin.step.js';
import { PROVIDER_CHANNELS, type ProviderChannel } from './provider-channel.js';
import { LiveTransport, ProviderTransport } from './provider-transport.js';
import { ProviderSteps } from './provider.step.js';
import { PushChannel } from './push.channel.js';
import { SmsChannel } from './sms.channel.js';
import { StepGate } from './step-gate.js';
import { SuppressionGate } from './suppression-gate.js';
import { TargetSender } from './target-sender.js';
import { ThrottleStep } from './throttle.step.js';
import { WaitAnswers } from './wait-answers.js';
import { WaitForEventStep } from './wait-for-event.step.js';

/** The channels that send through providers. A new one is a class and its name here. */
const CHANNELS = [EmailChannel, SmsChannel, ChatChannel, PushChannel];

/** The handlers of all steps of this room. */
export const STEPS = Symbol('steps');

/** Steps that reach beyond the process or count runs, and what they do it with. A rehearsal has its own. */
export const EFFECTIVE_STEPS: Provider[] = [
  TargetSender,
  ProviderSteps,
  ThrottleStep,
  HttpRequestStep,
  {
    provide: STEPS,
    inject: [InAppStep, DelayStep, WaitForEventStep, ThrottleStep, HttpRequestStep, ProviderSteps, PluginSteps],
    useFactory: (...steps: (StepHandler | ProviderSteps | PluginSteps)[]) =>
      steps.flatMap((one) => ('handlers' in one ? one.handlers : [one])),
  },
];

@Module({
  imports: [
    RecordsModule,
    QueuesModule,
    RunModule,
    AuthModule,
    BudgetsModule,
    ConditionSecretsModule,
    EnvironmentSecretsModule,
    IntegrationsModule,
    LayoutsModule,
    MessagesModule,
    RenderingModule,
    SubscribersModule,
    SuppressionsModule,
    TranslationsModule,
  ],
  providers: [
    ConditionWebhook,
    StepGate,
    BudgetGate,
    WaitAnswers,
    WaitForEventStep,
    MessageRendering,
    InAppStep,
    DelayStep,
    PluginStepTools,
    IntegrationRoutes,
    MailTracking,
    SuppressionGate,
    EmailRecipientReader,
    DeadTargets,
    IntegrationGuards,
    ChatExtras,
    HttpRequests,
    ...CHANNELS,
    { provide: PROVIDER_CHANNELS, inject: CHANNELS, useFactory: (...channels: ProviderChannel[]) => channels },
    ...EFFECTIVE_STEPS,
    { provide: ProviderTransport, useClass: LiveTransport },
    { provide: HttpCaller, useClass: LiveHttpCaller },
    {
      provide: PluginSteps,
      inject: [PluginStepTools],
      useFactory: (tools: PluginStepTools) => new PluginSteps(tools, false),
    },
  ],
  exports: [
    StepGate,
    BudgetGate,
    WaitForEventStep,
    InAppStep,
    DelayStep,
    PluginStepTools,
    DeadTargets,
    HttpRequests,
    PROVIDER_CHANNELS,
  ],
})
export class StepsModule {
  constructor(handlers: StepHandlers, @Inject(STEPS) steps: readonly StepHandler[]) {
    handlers.add(steps);
  }
}
