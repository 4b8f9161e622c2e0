import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { ROOT } from '../build.mjs';

const NODE_VERSIONS = readFileSync(join(ROOT, '.ci', 'node-versions'), 'utf8')
  .trim()
  .split('\n');

/**
 * Finds what makes `npm ci` fail on other machines: optional packages of other platforms that the lock file lacks, because npm could
 * not download them, and entries that no package needs. npm 11 ignores the latter, npm 10 installs them, and refuses those of another
 * platform.
 */
export function checkLockfile({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, extraneous = false }]) => [
    ...Object.keys(optionalDependencies)
      .filter((name) => !lookUp(packages, path, name))
      .map((name) => `${name}, which ${path} may need on another platform, is missing.`),
    ...(extraneous ? [`${path} is extraneous. 'npm install --package-lock-only' removes it.`] : []),
  ]);
}

/**
 * Finds packages that do not allow a version of Node that Herald supports: npm would warn of EBADENGINE. It leaves optional packages out
 * instead.
 */
export function checkEngines({ packages }, versions = NODE_VERSIONS) {
  return Object.entries(packages).flatMap(([path, { version, engines, optional = false }]) =>
    versions
      .filter((node) => !optional && !allows(engines?.node, node))
      .map((node) => `${path} ${version} needs Node ${engines.node}, which excludes ${node}.`),
  );
}

/** The newest release of a version: `20.19` stands for its patches, `22` for its minor versions as well. */
function allows(range = '*', node) {
  const { major, minor } = semver.coerce(node);
  return semver.satisfies(node.includes('.') ? `${major}.${minor}.9999` : `${major}.9999.0`, range);
}

/** Resolves as Node does: in the package's own folder, then outwards. @returns the place of the package, if there is one */
export function lookUp(packages, path, name) {
  const folders = path
    .split('/node_modules/')
    .map((_, at, parts) => parts.slice(0, parts.length - at).join('/node_modules/'));
  const places = [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
  return places.find((place) => place in packages);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = ['.', 'tools/react-native-test'];
  const faults = folders.flatMap((folder) => {
    const lock = JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8'));
    return [...checkLockfile(lock), ...checkEngines(lock)];
  });
  for (const fault of faults) console.error(fault);
  console.log(`lockfile: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
