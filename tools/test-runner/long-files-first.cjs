const TestSequencer = require('@jest/test-sequencer').default;

/**
 * Files that take longest, longest first. They are small, so without the times of an earlier run Jest would begin with them last, and one
 * worker would wait for the other at the end. The reporter prints the slowest ones.
 */
const LONG = [
  'test/manual/examples.e2e-spec.ts',
  'tools/schematics/schematics.spec.mjs',
  'test/start/first-hour.e2e-spec.ts',
  'apps/admin/test/backup.e2e-spec.ts',
  'test/docs/docs.e2e-spec.ts',
  'tools/schematics/plugin.spec.mjs',
  'test/real-time/streams.e2e-spec.ts',
  'test/store/unavailable.e2e-spec.ts',
  'test/store/query-plans.e2e-spec.ts',
  'test/http/queries.e2e-spec.ts',
  'test/start/process-group.e2e-spec.ts',
  'apps/admin/test/live.e2e-spec.ts',
  'examples/plugin-step/test/create-ticket.e2e-spec.mjs',
  'test/start/start.e2e-spec.ts',
  'apps/admin/test/files.e2e-spec.ts',
  'test/upgrade/schema-version.e2e-spec.ts',
];

/** Where no earlier run has left its times. */
module.exports = class LongFilesFirst extends TestSequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const at = LONG.findIndex((name) => path.endsWith(name));
      return at < 0 ? LONG.length : at;
    };
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
};
