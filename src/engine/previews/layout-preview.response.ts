import { ApiProperty } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import type { TemplateFault } from '../delivery/index.js';
import { showFault, TemplateFaultResponse } from './step-preview.response.js';

/** A layout around a sample message. */
export class LayoutPreviewResponse {
  /** HTML of the email. Absent if there are faults. @example <html><body><h1>Your order is on its way</h1></body></html> */
  content?: string;
  /** The plain text of the email. */
  text?: string;
  /** Why the layout cannot be rendered. */
  @ApiProperty({ type: [TemplateFaultResponse] })
  faults: TemplateFaultResponse[];
}

export function showLayoutPreview(
  rendered: { readonly html: string; readonly text: string } | undefined,
  faults: readonly TemplateFault[],
): LayoutPreviewResponse {
  return shown(LayoutPreviewResponse, {
    content: rendered?.html,
    text: rendered?.text,
    faults: faults.map(showFault),
  });
}
