import { Injectable } from '@nestjs/common';
import type { EmailLayout } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { LayoutNotFound, type LayoutResponse, LayoutsService } from '../../layouts/index.js';
import { chosenLayout } from './overrides.js';
import { tenantOf } from '../run/run.js';
import type { RunTemplate } from '../records/run-workflow.js';
import type { StepTask } from '../run/step-handler.js';
import { StepFailure } from './provider-channel.js';

/** Chooses the layout of a mail: the trigger's, else the step's. */
@Injectable()
export class LayoutChooser {
  constructor(private readonly layouts: LayoutsService) {}

  /** @throws {StepFailure} when the trigger names a layout that is not there */
  async choose({ run }: StepTask, { _layoutId }: RunTemplate): Promise<EmailLayout | undefined> {
    const tenant = tenantOf(run.event);
    const identifier = chosenLayout(run.event.overrides);
    if (identifier !== undefined) {
      const found = await this.layouts.findByIdentifier(tenant, identifier);
      if (found) return found;
      throw new StepFailure(DETAIL.layoutNotFound, 'layout_not_found', `There is no layout '${identifier}'.`);
    }
    return _layoutId === undefined ? undefined : this.find(tenant, _layoutId);
  }

  /** A layout that was deleted since leaves the mail without one. */
  private async find(tenant: ReturnType<typeof tenantOf>, id: string): Promise<LayoutResponse | undefined> {
    try {
      return await this.layouts.get(tenant, id);
    } catch (error) {
      if (error instanceof LayoutNotFound) return undefined;
      throw error;
    }
  }
}
