export { InProcessWakeUps } from './in-process-wake-ups.js';
export { QueueModule } from './queue.module.js';
export { WakeUps } from './wake-ups.js';
