import { readFileSync } from 'node:fs';
import { definePlugin } from 'herald/plugin';
import { DutiesModule } from './duties.module.js';
import { findOnDuty } from './find-on-duty.js';
import { settings } from './frozen-teams.guard.js';
import { pager } from './pager.js';

export default definePlugin({
  name: 'herald-plugin-example-duty',
  apiVersion: 1,
  settings,
  modules: [DutiesModule],
  steps: [findOnDuty],
  providers: [pager],
  pages: [
    {
      path: 'duties',
      label: 'Duties',
      routes: ['/v1/duties'],
      html: readFileSync(new URL('../src/page.html', import.meta.url), 'utf8'),
    },
  ],
  migrations: [
    {
      version: 1,
      name: 'reasons of the first duties',
      run: async (db) => {
        const withoutReason = { reason: { $exists: false } };
        await db.collection('exampleDuties').updateMany(withoutReason, { $set: { reason: 'By the plan' } });
      },
    },
  ],
});
