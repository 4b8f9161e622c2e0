import { Controller, Get, Param, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type HttpReply, Public } from '#libs/http-kit';
import { ImagesService } from './images.service.js';

/** Called by mail programs, not by clients: it is not in the OpenAPI document. */
@ApiExcludeController()
@Public()
@Controller({ path: 'images', version: VERSION_NEUTRAL })
export class ImageFilesController {
  constructor(private readonly images: ImagesService) {}

  @Get(':environmentId/:imageId')
  async file(
    @Param('environmentId') environmentId: string,
    @Param('imageId') imageId: string,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const image = await this.images.file(environmentId, imageId);
    if (image === undefined) return void reply.status(404).header('cache-control', 'no-store').send();
    reply
      .status(200)
      .header('cache-control', 'public, max-age=31536000, immutable')
      // Mail programs in a browser load it from another site.
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', "default-src 'none'")
      .type(image.type)
      .send(image.content);
  }
}
