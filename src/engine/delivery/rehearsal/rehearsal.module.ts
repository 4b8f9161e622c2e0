import { Inject, Module, type Provider } from '@nestjs/common';
import { SubscribersModule } from '../../../audience/subscribers/index.js';
import { TopicsModule } from '../../../audience/topics/index.js';
import { RenderingModule } from '../../../platform/rendering/index.js';
import { DigestModule } from '../digest/digest.module.js';
import { DigestStep } from '../digest/digest.step.js';
import { ExpansionModule } from '../expansion/expansion.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { DigestWindows, ReadOnlyDigestWindows } from '../records/digest-windows.js';
import { RecordsModule } from '../records/records.module.js';
import { ReadOnlyThrottles, Throttles } from '../records/throttles.js';
import { RunModule } from '../run/run.module.js';
import { RehearsalHandlers, type StepHandler } from '../run/step-handler.js';
import { HttpCaller, SampleHttpCaller } from '../steps/http-caller.js';
import { PluginSteps, PluginStepTools } from '../steps/plugin.step.js';
import { ProviderTransport, RehearsalTransport } from '../steps/provider-transport.js';
import { EFFECTIVE_STEPS, STEPS, StepsModule } from '../steps/steps.module.js';
import { EventRehearsals } from './event-rehearsals.js';
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
    useFactory: (tools: PluginStepTools) => new PluginSteps(tools, true),
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
    RenderingModule,
    SubscribersModule,
    TopicsModule,
  ],
  providers: [
    ...EFFECTIVE_STEPS,
    DigestStep,
    ...WITHOUT_EFFECT,
    RehearsalHandlers,
    Rehearsal,
    EventRehearsals,
    StepPreviews,
    TestSends,
  ],
  exports: [EventRehearsals, StepPreviews, TestSends],
})
export class RehearsalModule {
  constructor(handlers: RehearsalHandlers, @Inject(STEPS) steps: readonly StepHandler[], digest: DigestStep) {
    handlers.add([...steps, digest]);
  }
}
