export { ActivitySummaryQuery } from './activity.dto.js';
export { ActivitySummaryService } from './activity-summary.service.js';
export { ActivityModule } from './activity.module.js';
export { TALLYING } from './activity-tallies.js';
export { TalliedRuns } from './tallied-runs.js';
export { type CountedRuns } from './tally-store.js';
export { countsOf } from './tally.js';
export { TallyWorker } from './tally-worker.js';
