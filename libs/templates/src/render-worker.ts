import { workerData } from 'node:worker_threads';
import { loadHelpers, type ThreadPlugins } from '#libs/plugins';

const plugins = workerData as ThreadPlugins | undefined | null;

// Before the file that reads the names of helpers.
if (plugins) await loadHelpers(plugins);
await import('./render-tasks.js');
