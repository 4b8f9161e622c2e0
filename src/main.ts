import 'reflect-metadata';
import { runProcess } from './run-process.js';

await runProcess({
  name: 'herald',
  portSetting: 'PORT',
  load: async () => (await import('./start-api.js')).startApi,
});
