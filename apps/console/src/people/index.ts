export { AccountPage } from './account-page.js';
export { TotpSetUp } from './totp-set-up.js';
export { PeoplePage } from './people-page.js';
