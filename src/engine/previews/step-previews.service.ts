import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { withoutNullish } from '#libs/persistence';
import { StepPreviews } from '../delivery/index.js';
import { eventOf } from '../events/index.js';
import { StepNotFound } from './previews.errors.js';
import type { PreviewStepDto } from './step-preview.dto.js';
import { showStepPreview, type StepPreviewResponse } from './step-preview.response.js';
import { StepSamples } from './step-samples.js';

@Injectable()
export class StepPreviewsService {
  constructor(
    private readonly samples: StepSamples,
    private readonly previews: StepPreviews,
  ) {}

  /**
   * Stores and sends nothing.
   * @throws what {@link StepSamples.read} throws @throws {RenderingIsBusy}
   */
  async preview(
    caller: TenantContext,
    path: { readonly workflowId: string; readonly stepId: string },
    dto: PreviewStepDto,
  ): Promise<StepPreviewResponse> {
    const { isStored: _isStored, workflow, step, ...sample } = await this.samples.read(caller, path, dto);
    const event = eventOf(caller, workflow, {
      transactionId: new Types.ObjectId().toHexString(),
      recipients: { list: [{ subscriberId: sample.subscriber.subscriberId }], topics: [] },
      payload: dto.payload ?? {},
    });
    const draft = withoutNullish({ ...dto.template });
    const previewed = await this.previews.preview({ ...sample, event, workflow, stepId: step.id, draft });
    if (previewed === undefined) throw new StepNotFound(path.stepId);
    return showStepPreview(previewed, sample.digestEvents);
  }
}
