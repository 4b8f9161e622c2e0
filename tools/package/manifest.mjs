import { RUNTIME_PACKAGES } from '../bundle.mjs';

/** Part of the package as files, because it depends on a package that reports each installation. */
const COPIED = 'swagger-ui-dist';

/** What only those install who export traces. */
export const TRACE_PACKAGES = RUNTIME_PACKAGES.filter((name) => name.startsWith('@opentelemetry/'));

/**
 * The dependencies of the package: what the bundle loads at run time, in the versions that were tested. What is joined into the
 * bundle is not installed again.
 * @param lock the content of package-lock.json
 * @returns {Record<string, string>}
 */
export function runtimeDependencies({ packages }) {
  const names = RUNTIME_PACKAGES.filter((name) => name !== COPIED && !TRACE_PACKAGES.includes(name)).sort();
  return Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`].version]));
}

/** What plugins get from Herald. They install these packages for their types only, in versions that fit. */
export const SHARED_PACKAGES = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/event-emitter',
  '@nestjs/mongoose',
  '@nestjs/swagger',
  'bson',
  'class-transformer',
  'class-validator',
  'mongoose',
  'reflect-metadata',
  'rxjs',
  'zod',
];

/**
 * The package does not install what the bundle has and shares with plugins, nor what exports traces.
 * @param dependencies of the repository
 */
export function optionalPeers(dependencies) {
  const names = [...SHARED_PACKAGES.filter((name) => !RUNTIME_PACKAGES.includes(name)), ...TRACE_PACKAGES];
  return {
    peerDependencies: Object.fromEntries(names.map((name) => [name, dependencies[name]])),
    peerDependenciesMeta: Object.fromEntries(names.map((name) => [name, { optional: true }])),
  };
}
