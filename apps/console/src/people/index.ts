export { AccountPage } from './account-page.js';
export { PeoplePage } from './people-page.js';
