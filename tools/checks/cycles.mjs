import { importsOf, resolveImport } from './project.mjs';

/** Import cycles that exist when the code runs; imports of types only are no cycle. */
export function checkCycles(files) {
  const known = new Set(files.map(({ path }) => path));
  const edges = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ specifier }) => resolveImport(file.path, specifier))
        .filter((target) => known.has(target)),
    ]),
  );
  return [...new Set([...edges.keys()].flatMap((start) => cyclesFrom(start, edges)))];
}

const done = new WeakMap();

/** Depth first; a file on the current path that is met again closes a cycle. */
function cyclesFrom(start, edges) {
  const visited = done.get(edges) ?? new Set();
  done.set(edges, visited);
  const faults = [];
  const path = [];
  const visit = (file) => {
    const at = path.indexOf(file);
    if (at >= 0) return void faults.push(describe(path.slice(at)));
    if (visited.has(file)) return;
    visited.add(file);
    path.push(file);
    for (const target of edges.get(file) ?? []) visit(target);
    path.pop();
  };
  visit(start);
  return faults;
}

function describe(cycle) {
  return `${cycle[0]}: import cycle ${[...cycle, cycle[0]].join(' -> ')}. Move what both need into a file of its own.`;
}
