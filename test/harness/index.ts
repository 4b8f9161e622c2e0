export { itBehavesLikeAResource } from './behaviour/resource-behaviour.js';
export { createTestApp, type Tenant, type TestApp } from './create-test-app.js';
export { repetitions } from './repetitions.js';
export { sharedStore, workerStore } from './store/worker-store.js';
export { type SessionIdentity, TestSession } from './test-session.js';
