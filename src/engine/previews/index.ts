export { StepNotFound } from './previews.errors.js';
export { PreviewDraftStepDto, PreviewStepDto } from './step-preview.dto.js';
export type { StepPreviewResponse } from './step-preview.response.js';
export { StepPreviewsService } from './step-previews.service.js';
export { PreviewsModule } from './previews.module.js';
export { RUNS_COMPARED } from './impact.service.js';
