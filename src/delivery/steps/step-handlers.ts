import { Injectable } from '@nestjs/common';
import type { StepType } from '../records/notification.record.js';
import type { StepHandler } from '../run/step-handler.js';

/** Finds the handler of a step type. */
@Injectable()
export class StepHandlers {
  private readonly byType: ReadonlyMap<StepType, StepHandler>;

  constructor(handlers: readonly StepHandler[]) {
    this.byType = new Map(handlers.map((handler) => [handler.type, handler]));
  }

  get(type: StepType): StepHandler | undefined {
    return this.byType.get(type);
  }
}
