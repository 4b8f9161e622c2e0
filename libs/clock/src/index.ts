export { Clock, ManualClock, SystemClock } from './clock.js';
export { ClockModule } from './clock.module.js';
