export { itBehavesLikeAResource } from './behaviour/resource-behaviour.js';
export type { TestApp } from './create-test-app.js';
export { runningHerald } from './herald/running-herald.js';
export { repetitions } from './repetitions.js';
export type { RunningHerald, TestApi } from './running-api.js';
export { workerStore } from './store/worker-store.js';
export { type SessionIdentity, TestSession } from './test-session.js';
