import { defineError } from '#libs/http-kit';

export const __Name__AlreadyExists = defineError(
  409,
  '__code___already_exists',
  (name: string) =>
    `This environment already has __aText__ named '${name}'. Choose another name or use that one.`,
  ['Example'],
);

export const __Name__NotFound = defineError(
  404,
  '__code___not_found',
  (id: string) =>
    `This environment has no __text__ with the id '${id}'. List them with GET /v1/__files__.`,
  ['{__name__Id}'],
);
