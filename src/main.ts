import 'reflect-metadata';
import { runProcess } from './bootstrap/run-process.js';

/** Fulfilled when Herald is ready, or has said why it cannot start. */
export const started = runProcess({
  name: 'herald',
  portSetting: 'PORT',
  load: async () => {
    // The bundle does not keep the order of the imports of one file.
    await import('./bootstrap/register-plugins.js');
    return (await import('./bootstrap/start-api.js')).startApi;
  },
});
