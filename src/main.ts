import 'reflect-metadata';
import { isGroupMember } from './group-member.js';
import { runProcess } from './run-process.js';

/** Fulfilled when Herald is ready, or has said why it cannot start. */
export const started = runProcess({
  name: 'herald',
  portSetting: 'PORT',
  load: async (config) =>
    config.get('WEB_CONCURRENCY') > 1 && !isGroupMember
      ? (await import('./process-group.js')).startGroup
      : (await import('./start-api.js')).startApi,
});
