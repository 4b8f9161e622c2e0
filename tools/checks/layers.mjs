import { LIB_IMPORTS, MODULE_ORDER, TEST_ONLY_LIBS } from './module-order.mjs';
import { importsOf, isTest, resolveImport } from './project.mjs';

/** Imports, of types too, that go against docs/architecture.md. */
export function checkLayers(files) {
  return files.flatMap((file) => {
    const from = roomOf(file.path);
    const strange = strangerFault(file.path, from);
    if (strange) return [strange];
    return importsOf(file).flatMap(({ specifier }) => {
      const fault = faultOf(file.path, from, specifier);
      return fault === undefined ? [] : [`${file.path}: ${fault} ('${specifier}').`];
    });
  });
}

/** A module of `src`, a library, `apps`, `src` itself (the files that put it together), or anything else. */
function roomOf(path) {
  const [top, name, ...rest] = path.split('/');
  if (top === 'src') return rest.length > 0 ? { kind: 'module', name } : { kind: 'src' };
  if (top === 'libs') return { kind: 'lib', name };
  return { kind: top };
}

function strangerFault(path, { kind, name }) {
  const known = kind === 'module' ? MODULE_ORDER.includes(name) : kind !== 'lib' || name in LIB_IMPORTS;
  return known ? undefined : `${path}: '${name}' has no place yet. Enter it in tools/checks/module-order.mjs.`;
}

function faultOf(path, from, specifier) {
  if (/^#libs\/[^/]+\//.test(specifier)) return 'a library is used through its facade only';
  const target = resolveImport(path, specifier);
  if (target === undefined) return undefined;
  const to = roomOf(target);
  if (from.kind === to.kind && from.name === to.name) return ownFacadeFault(path, from, target);
  if (to.kind === 'lib') return libFault(path, from, to, target);
  if (to.kind === 'module' || to.kind === 'src') return sourceFault(path, from, to, target);
  if (to.kind === 'apps' && from.kind !== 'test') return 'nothing imports an application';
  return ['test', 'bench'].includes(to.kind) && !isTest(path) && from.kind !== 'tools'
    ? 'only tests import tests'
    : undefined;
}

function ownFacadeFault(path, { kind, name }, target) {
  const facade = kind === 'module' ? `src/${name}/index.ts` : kind === 'lib' ? `libs/${name}/src/index.ts` : undefined;
  return target === facade && !isTest(path) ? 'inside a room, import the file and not the facade' : undefined;
}

function libFault(path, from, to, target) {
  if (target !== `libs/${to.name}/src/index.ts` && !isTest(path)) return 'a library is used through its facade only';
  if (TEST_ONLY_LIBS.includes(to.name) && !isTest(path)) return `#libs/${to.name} is for tests only`;
  if (from.kind !== 'lib' || LIB_IMPORTS[from.name].includes(to.name) || isTest(path)) return undefined;
  return `libs/${from.name} may not use libs/${to.name} (tools/checks/module-order.mjs)`;
}

function sourceFault(path, from, to, target) {
  if (from.kind === 'lib') return 'a library never imports src';
  if (isTest(path) && from.kind !== 'module') return undefined;
  if (to.kind === 'src') return from.kind === 'module' && !isTest(path) ? 'modules never import the root' : undefined;
  if (target !== `src/${to.name}/index.ts`) return `src/${to.name} is used through its index.ts only`;
  if (from.kind !== 'module') return undefined;
  const upwards = MODULE_ORDER.indexOf(to.name) > MODULE_ORDER.indexOf(from.name);
  return upwards ? `src/${from.name} stands below src/${to.name} and may not use it` : undefined;
}
