export { MailTrackingModule } from './mail-tracking.module.js';
