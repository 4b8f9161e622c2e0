import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../build.mjs';

/**
 * Finds optional packages of other platforms that the lock file lacks. npm omits them if it cannot download them, and
 * `npm ci` then fails on every machine with 'Missing: … from lock file'.
 */
export function checkLockfile({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !lookUp(packages, path, name))
      .map((name) => `package-lock.json: ${name}, which ${path} may need on another platform, is missing.`),
  );
}

/** Resolves as Node does: in the package's own folder, then outwards. */
function lookUp(packages, path, name) {
  const folders = path
    .split('/node_modules/')
    .map((_, at, parts) => parts.slice(0, parts.length - at).join('/node_modules/'));
  return folders.some((folder) => `${folder}/node_modules/${name}` in packages) || `node_modules/${name}` in packages;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkLockfile(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  for (const fault of faults) console.error(fault);
  console.log(`lockfile: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
