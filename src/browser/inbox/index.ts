export { ButtonNotFound, SnoozeOff, SnoozeRefused } from './inbox.errors.js';
export { InboxModule } from './inbox.module.js';
export {
  ButtonDto,
  CountInboxQuery,
  ListInboxQuery,
  MarkSeenDto,
  NotificationChangeParams,
  SnoozeDto,
  TaggedNotificationsDto,
} from './inbox-notification.dto.js';
export { ApiInboxPage, InboxCountResponse, InboxNotificationResponse } from './inbox-notification.response.js';
export { InboxNotificationsService } from './inbox-notifications.service.js';
export { ListInboxPreferencesQuery } from './inbox-preference.dto.js';
export { InboxPreferenceResponse } from './inbox-preference.response.js';
export { InboxPreferencesService } from './inbox-preferences.service.js';
