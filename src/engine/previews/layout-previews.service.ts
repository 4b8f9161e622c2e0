import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { parseTemplate, Rendering, RenderingBusy, TemplateError } from '#libs/templates';
import { BrandingsService } from '../../platform/organizations/index.js';
import { RenderingIsBusy, type TemplateFault } from '../delivery/index.js';
import type { PreviewLayoutDto } from './layout-preview.dto.js';
import { type LayoutPreviewResponse, showLayoutPreview } from './layout-preview.response.js';
import { SAMPLE_SUBSCRIBER } from './step-samples.js';

const SUBJECT = 'Your order 4711 is on its way';
const MESSAGE = `<h1>${SUBJECT}</h1>
<p>Hello {{subscriber.firstName}},</p>
<p>we handed your parcel to the carrier this morning. It should arrive within two days.</p>
<p><a href="https://shop.example/orders/4711">Follow the parcel</a></p>`;

@Injectable()
export class LayoutPreviewsService {
  constructor(
    private readonly rendering: Rendering,
    private readonly brandings: BrandingsService,
  ) {}

  /** @throws {RenderingIsBusy} */
  async preview(caller: TenantContext, dto: PreviewLayoutDto): Promise<LayoutPreviewResponse> {
    // Before it is rendered: what could not be stored may be slow to render.
    const fault = syntaxFault(dto.content);
    if (fault !== undefined) return showLayoutPreview(undefined, [fault]);
    const { logo, color } = await this.brandings.of(caller);
    try {
      const rendered = await this.rendering.email(
        {
          content: MESSAGE,
          contentType: 'customHtml',
          subject: SUBJECT,
          layout: { content: dto.content, variables: dto.variables ?? [] },
          branding: { ...(logo && { logo }), ...(color && { color }) },
          context: { ...dto.payload, subscriber: SAMPLE_SUBSCRIBER },
        },
        caller.environmentId,
      );
      return showLayoutPreview(rendered, []);
    } catch (error) {
      if (error instanceof RenderingBusy) throw new RenderingIsBusy();
      if (!(error instanceof TemplateError)) throw error;
      return showLayoutPreview(undefined, [{ path: 'content', message: error.message }]);
    }
  }
}

function syntaxFault(content: string): TemplateFault | undefined {
  const parsed = parseTemplate(content);
  if (parsed.ok) return undefined;
  const { message, line, column } = parsed;
  return { path: 'content', message, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
}
