import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { withoutNullish } from '#libs/persistence';
import { StepPreviews, type StepToPreview } from '../delivery/index.js';
import { eventOf } from '../events/index.js';
import { StepNotFound } from './previews.errors.js';
import type { PreviewDraftStepDto, PreviewStepDto, StepSampleDto } from './step-preview.dto.js';
import { showStepPreview, type StepPreviewResponse } from './step-preview.response.js';
import { type StepSample, StepSamples } from './step-samples.js';

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
    const sample = await this.samples.read(caller, path, dto);
    return this.previewOf(caller, sample, dto, withoutNullish({ ...dto.template }));
  }

  /** Stores and sends nothing. */
  async previewDraft(
    caller: TenantContext,
    workflowId: string,
    dto: PreviewDraftStepDto,
  ): Promise<StepPreviewResponse> {
    return this.previewOf(caller, await this.samples.readDraft(caller, workflowId, dto), dto, {});
  }

  private async previewOf(
    caller: TenantContext,
    { isStored: _isStored, workflow, step, ...sample }: StepSample,
    { payload }: StepSampleDto,
    draft: NonNullable<StepToPreview['draft']>,
  ): Promise<StepPreviewResponse> {
    const event = eventOf(caller, workflow, {
      transactionId: new Types.ObjectId().toHexString(),
      recipients: { list: [{ subscriberId: sample.subscriber.subscriberId }], topics: [] },
      payload: payload ?? {},
    });
    const previewed = await this.previews.preview({ ...sample, event, workflow, stepId: step.id, draft });
    if (previewed === undefined) throw new StepNotFound(step.id);
    return showStepPreview(previewed, sample.digestEvents);
  }
}
