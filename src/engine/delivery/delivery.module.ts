import { Module, type OnModuleInit } from '@nestjs/common';
import { ActionsModule } from './actions/actions.module.js';
import { DigestModule } from './digest/digest.module.js';
import { EventInserts, EventIntake } from './event-intake.js';
import { ExpansionModule } from './expansion/expansion.module.js';
import { QueuesModule } from './queues/queues.module.js';
import { RecordsModule } from './records/records.module.js';
import { RehearsalModule } from './rehearsal/rehearsal.module.js';
import { RunModule } from './run/run.module.js';
import { isHandler, StepDiscovery, StepHandlers } from './run/step-handler.js';
import { PluginSteps } from './steps/plugin/plugin.step.js';
import { StepsModule } from './steps/steps.module.js';
import { WorkerModule } from './worker/worker.module.js';

/** The rooms, lowest first: each imports only those below it. */
export const ROOMS = [
  RecordsModule,
  QueuesModule,
  RunModule,
  StepsModule,
  DigestModule,
  ExpansionModule,
  RehearsalModule,
  ActionsModule,
  WorkerModule,
];

/** The engine with its front door. `run`, `steps` and `digest` are of no concern to others. */
@Module({
  imports: ROOMS,
  providers: [EventInserts, EventIntake],
  exports: [EventIntake, RecordsModule, QueuesModule, ExpansionModule, RehearsalModule, ActionsModule, WorkerModule],
})
export class DeliveryModule implements OnModuleInit {
  constructor(
    private readonly handlers: StepHandlers,
    private readonly discovery: StepDiscovery,
    private readonly plugins: PluginSteps,
  ) {}

  /** Everything that carries out steps, but for what a rehearsal has of its own. */
  onModuleInit(): void {
    const rehearsed = new Set(this.discovery.find(RehearsalModule).map(({ instance }) => instance));
    for (const { declaration, instance } of this.discovery.find()) {
      if (rehearsed.has(instance)) continue;
      const handler = isHandler(instance) ? instance : this.plugins.of(declaration, () => instance);
      this.handlers.add(declaration.type, handler);
    }
  }
}
