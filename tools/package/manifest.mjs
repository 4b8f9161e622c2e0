import { RUNTIME_PACKAGES } from '../bundle.mjs';

/** Part of the package as files, because it depends on a package that reports each installation. */
const COPIED = 'swagger-ui-dist';

/**
 * The dependencies of the package: what the bundle loads at run time, in the versions that were tested. What is joined into the
 * bundle is not installed again.
 * @param lock the content of package-lock.json
 * @returns {Record<string, string>}
 */
export function runtimeDependencies({ packages }) {
  const names = RUNTIME_PACKAGES.filter((name) => name !== COPIED).sort();
  return Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`].version]));
}
