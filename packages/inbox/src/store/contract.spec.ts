import type { components } from '../../../client/src/schema.js';
import type { DeviceProvider, InboxNotification, InboxPreference } from './types.js';

type Schemas = components['schemas'];

// The compiler is the test: what openapi.json shows fits the types of this package.
const notification = (shown: Schemas['InboxNotificationResponse']): InboxNotification => shown;
const preference = (shown: Schemas['InboxPreferenceResponse']): InboxPreference => shown;
const provider = (accepted: Schemas['DeviceTokenDto']['providerId']): DeviceProvider => accepted;

it('should know the fields of the API document', () => {
  expect([notification, preference, provider].map(({ length }) => length)).toEqual([1, 1, 1]);
});
