export { FairQueue } from './fair-queue.js';
export { PoolBusy, TaskFailed, TaskTimeout, WorkerLost } from './pool.errors.js';
export { serveTasks } from './serve-tasks.js';
export { atOnce, inTurns, type Portions, Turns } from './turns.js';
export { WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
