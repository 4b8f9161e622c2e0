export {
  channelDecision,
  type ChannelDecision,
  type ChannelPreference,
  type EffectivePreference,
  isScheduled,
  type PreferenceSources,
} from './effective-preference.js';
export { type GlobalPreferenceResponse, WorkflowPreferenceResponse } from './preference.response.js';
export { PreferencesModule } from './preferences.module.js';
export { PreferencesService, type SubscriberPreferences } from './preferences.service.js';
