import { Module } from '@nestjs/common';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { BudgetDigests } from './budget-digests.js';

/** In every process that delivers. */
@Module({ imports: [DeliveryModule, WorkflowsModule], providers: [BudgetDigests] })
export class BudgetDigestsModule {}
