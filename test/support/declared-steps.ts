import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STEP_TYPES, type StepTypeDeclaration } from '#libs/plugins';

const ENGINE = join(import.meta.dirname, '../../src/engine');

/**
 * Makes Herald's own types of steps known, as the classes do that carry them out: for tests of what reads types and does not
 * load the engine. Import it first.
 */
for (const file of readdirSync(ENGINE, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.declaration.ts')) continue;
  // Jest has no import that is awaited before the tests are collected.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const exported = require(join(ENGINE, file)) as Record<string, unknown>;
  for (const value of Object.values(exported)) if (isDeclaration(value)) STEP_TYPES.addOwn(value);
}

function isDeclaration(value: unknown): value is StepTypeDeclaration {
  return typeof value === 'object' && value !== null && 'type' in value && 'group' in value;
}
