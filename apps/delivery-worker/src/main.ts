import 'reflect-metadata';
import { type AppConfig, ConfigError } from '#libs/config';
import { runProcess } from '../../../src/bootstrap/run-process.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

export function run(): Promise<void> {
  return runProcess({
    name: 'herald worker',
    portSetting: 'WORKER_PORT',
    check: requireSharedStore,
    load: async () => {
      // The bundle does not keep the order of the imports of one file.
      await import('../../../src/bootstrap/register-plugins.js');
      return (await import('./start-worker.js')).startWorker;
    },
  });
}

function requireSharedStore(config: AppConfig): void {
  if (config.get('MONGODB_URI') !== undefined) return;
  throw new ConfigError([
    'MONGODB_URI: a separate worker needs a MongoDB that it shares with the API. ' +
      'With the embedded store, the API process delivers as well.',
  ]);
}

if (isStartedProgram(import.meta.url)) void run();
