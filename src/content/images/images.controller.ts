import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, IdParam, lookAt, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateImageDto } from './image.dto.js';
import { ImageResponse } from './image.response.js';
import { ImageNotFound, TooManyImages } from './images.errors.js';
import { ImagesService } from './images.service.js';

@ApiTags('Images')
@Controller({ path: 'images', version: '1' })
@Audited('image', { look: lookAt(ImagesService, (images, caller, id) => images.get(caller, id)) })
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  /** Stores a picture for mails, which everybody who knows its address can load. */
  @Post()
  @ApiData(201, ImageResponse)
  @ApiErrors(TooManyImages)
  createImage(@Tenant() tenant: TenantContext, @Body() dto: CreateImageDto): Promise<ImageResponse> {
    return this.images.create(tenant, dto);
  }

  /** Lists the pictures, newest first. */
  @Get()
  @ApiPage(ImageResponse)
  listImages(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<ImageResponse>> {
    return this.images.list(tenant, query);
  }

  /** Gets a picture, without the file. */
  @Get(':imageId')
  @ApiData(200, ImageResponse)
  @ApiErrors(ImageNotFound)
  getImage(@Tenant() tenant: TenantContext, @IdParam('imageId') imageId: string): Promise<ImageResponse> {
    return this.images.get(tenant, imageId);
  }

  /** Deletes a picture. Mails that were sent show it no longer. */
  @Delete(':imageId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(ImageNotFound)
  deleteImage(@Tenant() tenant: TenantContext, @IdParam('imageId') imageId: string): Promise<void> {
    return this.images.remove(tenant, imageId);
  }
}
