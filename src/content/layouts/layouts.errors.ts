import { defineError } from '#libs/http-kit';

export const LayoutAlreadyExists = defineError(
  409,
  'layout_already_exists',
  (identifier: string) =>
    `This environment already has a layout with the identifier '${identifier}'. Choose another one or change that layout with PATCH.`,
  ['company'],
);

export const TooMuchContention = defineError(
  409,
  'too_much_contention',
  'Too many requests are changing the default layout at the same time. Send the request again.',
  { retryAfterSeconds: 1, logLevel: 'warn' },
);

export const LayoutNotFound = defineError(
  404,
  'layout_not_found',
  (id: string) => `This environment has no layout with the id '${id}'. List them with GET /v1/layouts.`,
  ['{layoutId}'],
);

/** What `If-Match` asked for does not hold. */
export const LayoutVersionChanged = defineError(
  412,
  'layout_version_changed',
  (id: string, version: number) =>
    `The layout '${id}' was changed: it is at version ${version}, which If-Match does not name. Read it with GET /v1/layouts/${id} and decide which content stays.`,
  ['{layoutId}', 7],
);

export const LayoutInUse = defineError(
  409,
  'layout_in_use',
  (id: string) => `The layout '${id}' is used by a workflow. Remove it from the workflow's steps first.`,
  ['{layoutId}'],
);

export const DefaultLayoutRequired = defineError(
  409,
  'default_layout_required',
  (id: string) => `The layout '${id}' is the default one. Make another layout the default first.`,
  ['{layoutId}'],
);
