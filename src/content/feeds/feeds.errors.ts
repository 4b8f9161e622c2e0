import { defineError } from '#libs/http-kit';

export const FeedAlreadyExists = defineError(
  409,
  'feed_already_exists',
  (name: string) => `This environment already has a feed named '${name}'. Choose another name or use that one.`,
  ['Activities'],
);

export const FeedNotFound = defineError(
  404,
  'feed_not_found',
  (id: string) => `This environment has no feed with the id '${id}'. List them with GET /v1/feeds.`,
  ['{feedId}'],
);

export const FeedInUse = defineError(
  409,
  'feed_in_use',
  (id: string) => `The feed '${id}' is used by a workflow. Remove it from the workflow's steps first.`,
  ['{feedId}'],
);
