export { EditSchedulePage, NewSchedulePage } from './schedule-form-page.js';
export { SchedulePage } from './schedule-page.js';
export { SchedulesPage } from './schedules-page.js';
