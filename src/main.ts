import 'reflect-metadata';
import { isGroupMember } from './bootstrap/group-member.js';
import { runProcess } from './bootstrap/run-process.js';

/** Fulfilled when Herald is ready, or has said why it cannot start. */
export const started = runProcess({
  name: 'herald',
  portSetting: 'PORT',
  load: async (config) =>
    config.get('WEB_CONCURRENCY') > 1 && !isGroupMember
      ? (await import('./bootstrap/process-group.js')).startGroup
      : (await import('./bootstrap/start-api.js')).startApi,
});
