import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';
import { checkLockfile } from './lockfile.mjs';

const faults = checkLockfile(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
for (const fault of faults) console.error(fault);
console.log(`lockfile: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}`);
process.exitCode = faults.length === 0 ? 0 : 1;
