export { PoolBusy, TaskFailed, TaskTimeout, WorkerLost } from './pool.errors.js';
export { serveTasks } from './serve-tasks.js';
export { Turns } from './turns.js';
export { WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
