import 'reflect-metadata';
import { runProcess } from './run-process.js';

/** Fulfilled when Herald is ready, or has said why it cannot start. */
export const started = runProcess({
  name: 'herald',
  portSetting: 'PORT',
  load: async () => (await import('./start-api.js')).startApi,
});
