import { defineError } from '#libs/http-kit';

export const MAX_IMAGES = 500;

export const ImageNotFound = defineError(
  404,
  'image_not_found',
  (id: string) => `This environment has no image with the id '${id}'. List them with GET /v1/images.`,
  ['{imageId}'],
);

export const TooManyImages = defineError(
  409,
  'too_many_images',
  () =>
    `This environment already has ${MAX_IMAGES} images. Delete some that no mail shows with DELETE /v1/images/{imageId}.`,
  [],
);
