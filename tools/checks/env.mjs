import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ROOT } from '../build.mjs';
import { exampleFaults, readExample } from '../docs/env-example.mjs';

// Compares .env.example with the settings schema: the same keys in the same order, each with its meaning and default.
ensureBuilt();
const { AppConfig, settingsSchema } = await import(
  pathToFileURL(join(ROOT, 'dist/libs/config/src/app-config.js')).href
);
const example = readExample(readFileSync(join(ROOT, '.env.example'), 'utf8'));
const faults = exampleFaults(example, Object.keys(settingsSchema.shape), (env) => AppConfig.from(env));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`env: ok, ${example.length} settings`);
