export { ActivityModule } from './activity.module.js';
export { TALLYING } from './activity-tallies.js';
export { TallyWorker } from './tally-worker.js';
