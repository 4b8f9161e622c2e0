import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { Background, LeasedWorker } from '#libs/work';
import { type ErasureRecord, Erasures } from '../../audience/subscribers/index.js';
import { Erasure } from './erasure.js';
import { ErasureQueue } from './erasure-queue.js';

/** Erasures of this process are announced, so it polls less often. */
const MIN_POLL_MS = 2_000;

@Injectable()
export class ErasureWorker extends LeasedWorker<ErasureRecord> {
  constructor(
    queue: ErasureQueue,
    private readonly erasure: Erasure,
    private readonly erasures: Erasures,
    background: Background,
    config: AppConfig,
  ) {
    super({
      config,
      background,
      queue,
      slots: 4,
      slotsOfOne: 2,
      groupOf: ({ _environmentId }) => _environmentId.toHexString(),
      minPollMs: MIN_POLL_MS,
      hasParts: true,
    });
  }

  override start(): void {
    this.erasures.whenBegun(() => this.wake());
    super.start();
  }

  protected carryOut(row: ErasureRecord): Promise<void> {
    return this.erasure.carryOut(row);
  }
}
