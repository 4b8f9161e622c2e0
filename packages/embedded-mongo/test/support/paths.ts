import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The compiled package; tests that start it as a program need it. */
export const DIST = join(PACKAGE, 'dist');
export const PROGRAM = join(DIST, 'program.js');

/** The executable with mongod's command line. */
export const EXECUTABLE = join(PACKAGE, 'bin', 'mongod.mjs');

/* eslint-disable no-restricted-properties -- a folder outside the package can only come from the environment */
/** The public CRUD tests: `source/crud/tests/unified` of mongodb/specifications. They are no part of this repository. */
export const CRUD_TESTS =
  process.env['MONGODB_CRUD_TESTS'] ?? join(PACKAGE, '../../../shared/conformance/mongodb-crud');
