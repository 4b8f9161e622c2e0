export { ActivityModule } from './activity.module.js';
export { TALLYING } from './activity-tallies.js';
export { TalliedRuns } from './tallied-runs.js';
export { type CountedRuns } from './tally-store.js';
export { countsOf } from './tally.js';
export { TallyWorker } from './tally-worker.js';
