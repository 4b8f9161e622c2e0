import { defineError } from '#libs/http-kit';

export const StepNotFound = defineError(
  404,
  'step_not_found',
  (stepId: string) => `The workflow has no step '${stepId}'. GET /v1/workflows/{workflowId} lists its steps.`,
);

export const VariantNotFound = defineError(
  404,
  'variant_not_found',
  (variantId: string) => `The step has no variant '${variantId}'. GET /v1/workflows/{workflowId} lists its variants.`,
);

export const StepNotTestable = defineError(422, 'step_not_testable', (reason: string) => reason);
