import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { PluginError } from '#libs/plugins';

export interface FoundPlugin {
  /** As entered in HERALD_PLUGINS. */
  readonly entry: string;
  readonly file: string;
  /** With the package.json; without one, the file's own. */
  readonly folder: string;
}

interface Manifest {
  readonly exports?: unknown;
  readonly main?: unknown;
}

/** Conditions of `exports`, by rank. */
const CONDITIONS = ['import', 'node', 'default'];

/**
 * A path from the working directory, or a package from there or from Herald.
 * @param from folders to search, in this order
 */
export function findPlugin(entry: string, from: readonly string[]): FoundPlugin {
  // Node resolves links as well, and Herald recognizes plugins by their folders.
  const place = realpathSync(isPath(entry) ? pathOf(entry, from) : packageOf(entry, from));
  if (statSync(place).isFile()) return { entry, file: place, folder: packageFolder(dirname(place)) };
  const manifest = readManifest(entry, place);
  const main = mainOf(manifest.exports) ?? (typeof manifest.main === 'string' ? manifest.main : 'index.js');
  const file = join(place, main);
  if (existsSync(file)) return { entry, file, folder: place };
  if (!existsSync(join(place, 'package.json'))) {
    throw new PluginError(entry, `${place} has neither a package.json nor an index.js. Enter the file of the plugin.`);
  }
  throw new PluginError(entry, `its package.json names ${file}, which does not exist. Build the plugin first.`);
}

function isPath(entry: string): boolean {
  return entry.startsWith('.') || isAbsolute(entry);
}

function pathOf(entry: string, [cwd = '.']: readonly string[]): string {
  const path = resolve(cwd, entry);
  if (existsSync(path)) return path;
  throw new PluginError(entry, `there is nothing at ${path}. Correct HERALD_PLUGINS.`);
}

function packageOf(name: string, from: readonly string[]): string {
  const folders = from.flatMap((start) => createRequire(join(start, 'index.js')).resolve.paths(name) ?? []);
  const place = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (place !== undefined) return place;
  throw new PluginError(
    name,
    `there is no such package above ${from.join(' or ')}. Install it there, or enter a path that begins with ./ or / in HERALD_PLUGINS.`,
  );
}

/** The folder itself if none has one. */
export function packageFolder(start: string): string {
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return start;
}

function readManifest(entry: string, folder: string): Manifest {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch (error) {
    throw new PluginError(entry, `${path} is not valid JSON.`, { cause: error });
  }
}

function mainOf(exported: unknown): string | undefined {
  if (typeof exported === 'string') return exported;
  if (typeof exported !== 'object' || exported === null) return undefined;
  const by = exported as Record<string, unknown>;
  if (Object.hasOwn(by, '.')) return mainOf(by['.']);
  const condition = CONDITIONS.find((name) => Object.hasOwn(by, name));
  return condition === undefined ? undefined : mainOf(by[condition]);
}
