import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TransitionContext } from './transitions.js';

/** The time of transitions, and for how long a run is kept after its end. */
@Injectable()
export class RunClock {
  private readonly retentionDays: number;

  constructor(
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  now(): Date {
    return this.clock.now();
  }

  /** Of a transition that happens now. */
  context(now = this.clock.now()): TransitionContext {
    return { now, retentionDays: this.retentionDays };
  }
}
