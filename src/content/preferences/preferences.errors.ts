import { defineError } from '#libs/http-kit';

export const NoPreferenceGiven = defineError(
  400,
  'no_preference_given',
  "The body changes nothing: send 'preferences', 'enabled' or 'schedule'.",
);

export const PreferenceOfCriticalWorkflow = defineError(
  400,
  'workflow_is_critical',
  'The workflow is critical: its messages are delivered whatever a subscriber prefers.',
);

export const NoChannelGiven = defineError(
  400,
  'no_preference_given',
  "The body changes nothing: send 'channel', 'enabled' or both.",
);
