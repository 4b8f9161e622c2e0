import { ApiProperty } from '@nestjs/swagger';
import { RecordResponse, shower } from '#libs/http-kit';
import { IMAGE_TYPES, type ImageType } from './image-type.js';
import type { Image } from './image.schema.js';

/** A picture of mails. */
export class ImageResponse extends RecordResponse {
  /** Name of the file. @example logo.png */
  name: string;
  /** Type of the picture. */
  @ApiProperty({ enum: IMAGE_TYPES, example: 'image/png' })
  type: ImageType;
  /** Bytes of the file. @example 4711 */
  size: number;
  /**
   * Where mails find it. Absent without the setting PUBLIC_URL: nobody would see it.
   * @example https://herald.example.com/images/64f0c1a2b3c4d5e6f7a8b9c0/64f0c1a2b3c4d5e6f7a8b9c1
   */
  url?: string;
}

/** Without the file. */
export type StoredImage = Omit<Image, 'data'>;

export const showImage = shower(
  ImageResponse,
  ({ name, type, size, url }: StoredImage & { readonly url: string | undefined }) => ({
    name,
    type,
    size,
    ...(url !== undefined && { url }),
  }),
);
