import { defineError } from '#libs/http-kit';

export const StepNotFound = defineError(
  404,
  'step_not_found',
  (stepId: string) => `The workflow has no step '${stepId}'. GET /v1/workflows/{workflowId} lists its steps.`,
  ['{stepId}'],
);

export const VariantNotFound = defineError(
  404,
  'variant_not_found',
  (variantId: string) => `The step has no variant '${variantId}'. GET /v1/workflows/{workflowId} lists its variants.`,
  ['64f0c1a2b3c4d5e6f7a8b9c0'],
);

export const StepNotTestable = defineError(422, 'step_not_testable', (reason: string) => reason, [
  "There is no address. Send 'to' or 'subscriber'.",
]);

export const ImpactBusy = defineError(
  429,
  'impact_busy',
  'Other requests look at the notifications of this environment. Send the request again in a second.',
  { retryAfterSeconds: 1 },
);
