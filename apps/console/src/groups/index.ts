export { GroupsPage } from './groups-page.js';
