import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../build.mjs';
import { importsOf, isTest, readProject, resolveImport } from './project.mjs';

/** Circles inside a wing of `src`, among the libraries, inside an application or a package. */
const ROOM = /^(?:src\/[^/]+|libs|(?:apps|packages)\/[^/]+\/src)\//;

/**
 * Circles of folders: sets of neighbouring folders whose files import each other in a circle, imports of types included.
 * A file that lies next to folders stands for itself, so a module's own files may use its folders and be used by them.
 * @param files as `readProject` gives them
 * @returns {{ folder: string, members: string[], imports: string[] }[]} `imports` holds an example for each arrow
 */
export function folderCirclesOf(files) {
  const levels = new Map();
  const paths = new Set(files.map(({ path }) => path));
  for (const [from, to] of files.flatMap((file) => importsWithinRoom(file, paths))) {
    const folder = commonFolder(from, to);
    const [source, target] = [from, to].map((path) => path.slice(folder.length + 1).split('/')[0]);
    const arrows = levels.get(folder) ?? new Map();
    levels.set(folder, arrows.set(`${source} ${target}`, { source, target, example: `${from} -> ${to}` }));
  }
  return [...levels].flatMap(([folder, arrows]) => circlesOf([...arrows.values()]).map((one) => ({ folder, ...one })));
}

function importsWithinRoom(file, paths) {
  const room = ROOM.exec(file.path)?.[0];
  if (room === undefined || isTest(file.path)) return [];
  const targets = importsOf(file).map((specifier) => resolveImport(file.path, specifier, paths));
  return targets.filter((to) => to?.startsWith(room) && to !== file.path).map((to) => [file.path, to]);
}

function commonFolder(a, b) {
  let folder = posix.dirname(a);
  while (!b.startsWith(`${folder}/`)) folder = posix.dirname(folder);
  return folder;
}

function circlesOf(arrows) {
  const reachable = (start) => {
    const reached = new Set([start]);
    // A set that grows while it is walked.
    for (const name of reached)
      arrows.filter((one) => one.source === name).forEach(({ target }) => reached.add(target));
    return reached;
  };
  const reached = new Map(arrows.map(({ source }) => [source, reachable(source)]));
  const groups = [...reached].map(([name, others]) => [...others].filter((one) => reached.get(one)?.has(name)).sort());
  return [...new Map(groups.map((members) => [members.join(' '), members])).values()]
    .filter((members) => members.length > 1 && members.some((name) => !/\.tsx?$/.test(name)))
    .map((members) => ({
      members,
      imports: arrows
        .filter((one) => members.includes(one.source) && members.includes(one.target))
        .map(({ example }) => example)
        .sort(),
    }));
}

/** One text for each fault. */
export function folderFaults(files) {
  return folderCirclesOf(files).map(({ folder, members, imports }) =>
    [`${folder}: ${members.join(', ')} import each other in a circle:`, ...imports].join('\n  '),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = folderFaults(readProject(ROOT));
  for (const fault of faults) console.error(fault);
  console.log(`folders: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
