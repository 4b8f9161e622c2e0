export { ScheduleErasure } from './schedule-erasure.js';
export { ScheduleQueue } from './schedule-queue.js';
export { ScheduleWorker } from './schedule-worker.js';
export { SchedulesModule } from './schedules.module.js';
