import type { RawObject } from '#libs/validation';
import type { StepPreviewResponse } from '../../engine/previews/index.js';
import { controlValuesOf } from './control-values.js';

/** A preview as the newer interface shows it. */
export function previewOf({
  type,
  content,
  title,
  subject,
  cta,
  actor,
  until,
  faults,
}: StepPreviewResponse): RawObject {
  const [fault] = faults;
  if (fault !== undefined) return { type, error: { message: fault.message, ...(fault.path && { path: fault.path }) } };
  if (type === 'email') return { type, preview: { subject: subject ?? '', body: content ?? '' } };
  if (type === 'push') return { type, preview: { subject: title ?? '', body: content ?? '' } };
  if (type === 'in_app') {
    const shown = { type, content: content ?? '', subject, cta, actor };
    return { type, preview: { ...controlValuesOf({ template: shown }, undefined) } };
  }
  return { type, preview: until === undefined ? { body: content ?? '' } : { until } };
}
