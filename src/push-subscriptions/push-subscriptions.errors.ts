import { defineError } from '#libs/http-kit';

export const WebPushInactive = defineError(
  404,
  'web_push_integration_inactive',
  "This environment has no active integration of the provider 'web-push'. Create one with keys of `npm run keys -- vapid`.",
);
