import './launch.mjs';

/** What the bundle contains of the commands (bin/commands.mjs). */
const PROGRAMS = {
  'dist/apps/admin/src/backup.js': () => import('../dist/apps/admin/src/backup.js'),
  'dist/apps/admin/src/copy.js': () => import('../dist/apps/admin/src/copy.js'),
  'dist/apps/admin/src/doctor.js': () => import('../dist/apps/admin/src/doctor.js'),
  'dist/apps/admin/src/files.js': () => import('../dist/apps/admin/src/files.js'),
  'dist/apps/admin/src/import.js': () => import('../dist/apps/admin/src/import.js'),
  'dist/apps/admin/src/indexes.js': () => import('../dist/apps/admin/src/indexes.js'),
  'dist/apps/admin/src/keys.js': () => import('../dist/apps/admin/src/keys.js'),
  'dist/apps/admin/src/live.js': () => import('../dist/apps/admin/src/live.js'),
  'dist/apps/admin/src/migrate.js': () => import('../dist/apps/admin/src/migrate.js'),
  'dist/apps/admin/src/restore.js': () => import('../dist/apps/admin/src/restore.js'),
  'dist/apps/admin/src/workflow-tests.js': () => import('../dist/apps/admin/src/workflow-tests.js'),
  'dist/apps/delivery-worker/src/main.js': () => import('../dist/apps/delivery-worker/src/main.js'),
};

/** Runs a program of the bundle in this process. */
export async function run(file) {
  await (await PROGRAMS[file]()).run();
}
