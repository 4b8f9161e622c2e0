import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The compiled program: next to this file, or in `dist` if this runs from its source in a test. */
export function programPath(): string {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith('.js')) return join(dirname(here), 'program.js');
  return resolve(dirname(here), '../dist/program.js');
}
