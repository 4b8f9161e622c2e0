import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Page, type PageQuery } from '#libs/http-kit';
import { isObjectId, NEWEST_FIRST, ownedBy, type TenantModel } from '#libs/persistence';
import type { CreateImageDto } from './image.dto.js';
import { type ImageResponse, showImage, type StoredImage } from './image.response.js';
import { Image } from './image.schema.js';
import { imageTypeOf, type ImageType } from './image-type.js';
import { ImageNotFound, MAX_IMAGES, TooManyImages } from './images.errors.js';

const SHOWN = [
  ...['_id', 'name', 'type', 'size', 'createdAt', 'updatedAt'],
  ...['deleted', '_environmentId', '_organizationId', '__v'],
] as (keyof StoredImage)[];

export interface ImageFile extends Pick<Image, 'name' | 'type'> {
  readonly content: Buffer;
}

@Injectable()
export class ImagesService {
  private readonly base: string | undefined;

  constructor(
    @InjectModel(Image.name) private readonly images: TenantModel<Image>,
    config: AppConfig,
  ) {
    this.base = config.get('PUBLIC_URL');
  }

  /** @throws {TooManyImages} */
  async create(tenant: TenantContext, { name, file }: CreateImageDto): Promise<ImageResponse> {
    const bytes = Buffer.from(file, 'base64');
    const count = await this.images.countDocuments({ _environmentId: tenant.environmentId }, { limit: MAX_IMAGES });
    if (count >= MAX_IMAGES) throw new TooManyImages();
    const type = imageTypeOf(bytes) as ImageType;
    const row = await this.images.create({ ...ownedBy(tenant), name, type, size: bytes.length, data: file });
    return this.show(row.toObject());
  }

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<ImageResponse>> {
    const { rows, hasMore } = await this.images.page(tenant, {}, { ...query, sort: NEWEST_FIRST, fields: SHOWN });
    return new Page(
      rows.map((row) => this.show(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  /** @throws {ImageNotFound} */
  async get(tenant: TenantContext, id: string): Promise<ImageResponse> {
    const row = (await this.images.byIds(tenant, [id], { fields: SHOWN })).get(id);
    if (row === undefined) throw new ImageNotFound(id);
    return this.show(row);
  }

  /** Its bytes leave the store at once. @throws {ImageNotFound} */
  async remove(tenant: TenantContext, id: string): Promise<void> {
    const { deletedCount } = await this.images.deleteOne({ _environmentId: tenant.environmentId, _id: id });
    if (deletedCount === 0) throw new ImageNotFound(id);
  }

  /** For everybody who has a mail with its address. */
  async file(environmentId: string, id: string): Promise<ImageFile | undefined> {
    if (!isObjectId(environmentId) || !isObjectId(id)) return undefined;
    const row = (await this.images.byIds({ environmentId }, [id], { fields: ['_id', 'name', 'type', 'data'] })).get(id);
    return row && { name: row.name, type: row.type, content: Buffer.from(row.data, 'base64') };
  }

  private show(row: StoredImage): ImageResponse {
    const place = `images/${row._environmentId.toHexString()}/${row._id.toHexString()}`;
    return showImage({ ...row, url: this.base && `${this.base}/${place}` });
  }
}
