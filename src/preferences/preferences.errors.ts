import { defineError } from '#libs/http-kit';

export const NoPreferenceGiven = defineError(
  400,
  'no_preference_given',
  (channelField: 'channel' | 'preferences') => `The body changes nothing: send '${channelField}', 'enabled' or both.`,
);
