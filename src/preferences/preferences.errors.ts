import { defineError } from '#libs/http-kit';

export const NoPreferenceGiven = defineError(
  400,
  'no_preference_given',
  (channelField: 'channel' | 'preferences') => `Say what is to change: send '${channelField}', 'enabled' or both.`,
);
