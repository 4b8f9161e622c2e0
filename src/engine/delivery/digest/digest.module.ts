import { Module } from '@nestjs/common';
import { ExecutionDetailsModule } from '../../execution-details/index.js';
import { QueuesModule } from '../queues/queues.module.js';
import { RecordsModule } from '../records/records.module.js';
import { RunModule } from '../run/run.module.js';
import { StepsModule } from '../steps/steps.module.js';
import { DigestCollector } from './digest-collector.js';
import { DigestExtensions } from './digest-extensions.js';
import { DigestLedger } from './digest-ledger.js';
import { DigestSuccession } from './digest-succession.js';
import { DigestGathering, DigestStep } from './digest.step.js';

@Module({
  imports: [RecordsModule, QueuesModule, RunModule, StepsModule, ExecutionDetailsModule],
  providers: [DigestLedger, DigestCollector, DigestSuccession, DigestExtensions, DigestGathering, DigestStep],
  exports: [DigestGathering],
})
export class DigestModule {}
