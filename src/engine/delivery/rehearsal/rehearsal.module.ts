import { Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { SubscribersModule } from '../../../audience/subscribers/index.js';
import { IntegrationsModule } from '../../../channels/integrations/index.js';
import { RenderingModule } from '../../../platform/rendering/index.js';
import { DigestModule } from '../digest/digest.module.js';
import { DigestStep } from '../digest/digest.step.js';
import { ExpansionModule } from '../expansion/expansion.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { DigestWindows, ReadOnlyDigestWindows } from '../records/digest-windows.js';
import { RecordsModule } from '../records/records.module.js';
import { ReadOnlyThrottles, Throttles } from '../records/throttles.js';
import { RunModule } from '../run/run.module.js';
import { isHandler, RehearsalHandlers, StepDiscovery } from '../run/step-handler.js';
import { HttpCaller, SampleHttpCaller } from '../steps/http_request/http-caller.js';
import { PluginSteps, PluginStepTools } from '../steps/plugin/plugin.step.js';
import { ProviderTransport, RehearsalTransport } from '../steps/provider-transport.js';
import { SENDING, STEPS, StepsModule } from '../steps/steps.module.js';
import { EventRehearsals } from './event-rehearsals.js';
import { PastRuns } from './past-runs.js';
import { Rehearsal } from './rehearsal.js';
import { StepPreviews } from './step-previews.js';
import { TestSends } from './test-sends.js';

/** What differs from deliveries: messages are composed and not sent, and windows are only read. */
const WITHOUT_EFFECT: Provider[] = [
  { provide: ProviderTransport, useClass: RehearsalTransport },
  { provide: HttpCaller, useClass: SampleHttpCaller },
  {
    provide: PluginSteps,
    inject: [PluginStepTools],
    useFactory: (tools: PluginStepTools) => new PluginSteps(tools),
  },
  { provide: Throttles, useClass: ReadOnlyThrottles },
  { provide: DigestWindows, useClass: ReadOnlyDigestWindows },
];

/** The steps of deliveries with collaborators of their own. */
@Module({
  imports: [
    RecordsModule,
    QueuesModule,
    RunModule,
    StepsModule,
    DigestModule,
    ExpansionModule,
    IntegrationsModule,
    RenderingModule,
    SubscribersModule,
  ],
  providers: [
    ...STEPS,
    ...SENDING,
    DigestStep,
    ...WITHOUT_EFFECT,
    RehearsalHandlers,
    Rehearsal,
    EventRehearsals,
    PastRuns,
    StepPreviews,
    TestSends,
  ],
  exports: [EventRehearsals, PastRuns, StepPreviews, TestSends],
})
export class RehearsalModule implements OnModuleInit {
  constructor(
    private readonly handlers: RehearsalHandlers,
    private readonly discovery: StepDiscovery,
    private readonly plugins: PluginSteps,
  ) {
    for (const [type, handler] of plugins.handlers) handlers.add(type, handler);
  }

  /** The handlers of this module, and what plugins' steps and those like them have for rehearsals. */
  onModuleInit(): void {
    for (const { declaration, instance } of this.discovery.find(RehearsalModule)) {
      if (isHandler(instance)) this.handlers.add(declaration.type, instance);
    }
    for (const { declaration, instance } of this.discovery.find()) {
      if (!isHandler(instance))
        this.handlers.add(
          declaration.type,
          this.plugins.of(declaration, () => instance),
        );
    }
  }
}
