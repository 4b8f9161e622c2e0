import { defineError } from '#libs/http-kit';

export const RenderingIsBusy = defineError(
  503,
  'rendering_busy',
  'Too many messages are waiting to be rendered. Send the request again in a second.',
  { retryAfterSeconds: 1 },
);
