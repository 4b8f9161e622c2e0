import { ApiProperty } from '@nestjs/swagger';
import { IsName, IsValidBy } from '#libs/http-kit';
import { imageFaults } from './image-type.js';

export class CreateImageDto {
  /**
   * Name of the file.
   * @example logo.png
   */
  @IsName()
  name: string;

  /** The file in base64: PNG, JPEG or GIF, of at most 500,000 bytes. */
  @IsValidBy('isImage', imageFaults)
  @ApiProperty({
    type: 'string',
    example: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  })
  file: string;
}
