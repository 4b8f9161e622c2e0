export { itBehavesLikeAResource } from './behaviour/resource-behaviour.js';
export type { TestApi, TestApp } from './create-test-app.js';
export {
  type Refusal,
  type RunningHerald,
  runningHerald,
  type StoppedHerald,
  stoppedHerald,
  type StoredRecords,
} from './herald/running-herald.js';
export { repetitions } from './repetitions.js';
export { workerStore } from './store/worker-store.js';
export { type SessionIdentity, TestSession } from './test-session.js';
