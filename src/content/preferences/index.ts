export {
  channelDecision,
  type ChannelDecision,
  type ChannelPreference,
  type EffectivePreference,
  type PreferenceSources,
} from './effective-preference.js';
export { PreferenceLevelParam, UpdateGlobalPreferenceDto, UpdateWorkflowPreferenceDto } from './preference.dto.js';
export {
  GlobalPreferenceResponse,
  PreferenceGroupResponse,
  PreferenceOverrideResponse,
  PREFERENCES_OF_LEVEL,
  WorkflowPreferenceResponse,
} from './preference.response.js';
export { PreferencesModule } from './preferences.module.js';
export { PreferencesService, type SubscriberPreferences } from './preferences.service.js';
export { NoChannelGiven, NoPreferenceGiven, PreferenceOfCriticalWorkflow } from './preferences.errors.js';
export { PREFERENCE_WAYS, type PreferenceWay, type UnsubscribeWay } from './preference.schema.js';
export { PreferenceChanged, type PreferenceSwitch, ScheduleChanged } from './preferences.events.js';
export { PreferenceRecords } from './preference-records.js';
export { type StoredUnsubscription, Unsubscriptions } from './unsubscriptions.js';
