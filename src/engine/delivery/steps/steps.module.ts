import { Module, type Provider } from '@nestjs/common';
import { SubscribersModule } from '../../../audience/subscribers/index.js';
import { IntegrationsModule } from '../../../channels/integrations/index.js';
import { BudgetsModule } from '../../../content/budgets/index.js';
import { ImagesModule } from '../../../content/images/index.js';
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
import { BegunCalls } from '../run/begun-calls.js';
import { RunModule } from '../run/run.module.js';
import { StepHandlers } from '../run/step-handler.js';
import { BranchStep } from './branch/branch.step.js';
import { BudgetGate } from './budget-gate.js';
import { ChatChannel } from './chat/chat.channel.js';
import { ChatStep } from './chat/chat.step.js';
import { ChatExtras } from './chat/chat-extras.js';
import { ConditionWebhook } from './condition-webhook.js';
import { DeadTargets } from './dead-targets.js';
import { DelayStep } from './delay/delay.step.js';
import { EmailChannel } from './email/email.channel.js';
import { EmailStep } from './email/email.step.js';
import { EmailRecipientReader } from './email/email-recipients.js';
import { HttpCaller, LiveHttpCaller } from './http_request/http-caller.js';
import { HttpRequestStep } from './http_request/http-request.step.js';
import { HttpRequests } from './http_request/http-request.js';
import { InAppStep } from './in_app/in-app.step.js';
import { IntegrationGuards } from './integration-guards.js';
import { IntegrationRoutes } from './integration-routes.js';
import { MailFiles } from './email/mail-files.js';
import { MailTracking } from './email/mail-tracking.js';
import { MessageRendering } from './message-rendering.js';
import { PluginSteps, PluginStepTools } from './plugin/plugin.step.js';
import { LiveTransport, ProviderTransport } from './provider-transport.js';
import { ProviderStepTools } from './provider.step.js';
import { PushChannel } from './push/push.channel.js';
import { PushStep } from './push/push.step.js';
import { SmsChannel } from './sms/sms.channel.js';
import { SmsStep } from './sms/sms.step.js';
import { SplitStep } from './split/split.step.js';
import { StepGate } from './step-gate.js';
import { SuppressionGate } from './suppression-gate.js';
import { TargetSender } from './target-sender.js';
import { ThrottleStep } from './throttle/throttle.step.js';
import { WaitAnswers } from './wait_for_event/wait-answers.js';
import { WaitForEventStep } from './wait_for_event/wait-for-event.step.js';

/** Classes that carry out steps, each with what only it needs. A new one stands here once, and Nest finds its type. */
export const STEPS: Provider[] = [
  InAppStep,
  EmailStep,
  SmsStep,
  ChatStep,
  PushStep,
  DelayStep,
  ThrottleStep,
  WaitForEventStep,
  HttpRequestStep,
  BranchStep,
  SplitStep,
];

/** What steps send with. A rehearsal has it a second time, above a transport of its own. */
export const SENDING: Provider[] = [TargetSender, ProviderStepTools];

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
    ImagesModule,
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
    MessageRendering,
    PluginStepTools,
    IntegrationRoutes,
    MailFiles,
    MailTracking,
    SuppressionGate,
    EmailRecipientReader,
    DeadTargets,
    IntegrationGuards,
    ChatExtras,
    HttpRequests,
    EmailChannel,
    SmsChannel,
    ChatChannel,
    PushChannel,
    ...STEPS,
    ...SENDING,
    { provide: ProviderTransport, useClass: LiveTransport },
    { provide: HttpCaller, useClass: LiveHttpCaller },
    {
      provide: PluginSteps,
      inject: [PluginStepTools, BegunCalls],
      useFactory: (tools: PluginStepTools, calls: BegunCalls) => new PluginSteps(tools, calls),
    },
  ],
  exports: [
    StepGate,
    BudgetGate,
    MessageRendering,
    PluginStepTools,
    PluginSteps,
    DeadTargets,
    HttpRequests,
    WaitAnswers,
    EmailChannel,
    SmsChannel,
    ChatChannel,
    PushChannel,
  ],
})
export class StepsModule {
  constructor(handlers: StepHandlers, plugins: PluginSteps) {
    for (const [type, handler] of plugins.handlers) handlers.add(type, handler);
  }
}
