import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WINGS } from '../checks/project.mjs';
import { addImport, addToList } from './edit.mjs';
import { assertKebab, formsOf, UsageError } from './names.mjs';

const TEMPLATES = fileURLToPath(new URL('./resource', import.meta.url));
const DEFAULT_WING = 'content';

/**
 * Writes a resource that works, and enters it wherever a module has to stand.
 * @param name in the singular, such as `push-template`
 * @param options.plural where adding an s is not enough
 * @param options.wing the wing of `src` that it stands in; it may use that one and those below it
 * @returns the paths that were written
 */
export function addResource(tree, name, { plural, wing = DEFAULT_WING } = {}) {
  assertKebab(name, 'The name of a resource');
  if (plural !== undefined) assertKebab(plural, 'The plural');
  if (!WINGS.includes(wing)) throw new UsageError(`Unknown wing '${wing}'. Wings: ${WINGS.join(', ')}.`);
  const forms = formsOf(name, plural);
  if (WINGS.some((one) => existsSync(join(tree.root, 'src', one, forms.files)))) {
    throw new UsageError(`The module '${forms.files}' already exists.`);
  }

  tree.createFrom(TEMPLATES, forms, (path) => path.replace(/^src\//, `src/${wing}/${forms.files}/`));
  const module = `${forms.Names}Module`;
  tree.edit(`src/${wing}/${wing}.module.ts`, (text) => {
    const imported = addImport(text, { name: module, from: `./${forms.files}/index.js` });
    return addToList(imported, 'imports', module);
  });
  tree.edit('src/bootstrap/api-document/about.ts', (text) =>
    addToList(text, 'TAGS', `['${forms.Texts}', 'What ${forms.texts} are for.']`),
  );
  tree.edit('docs/compatibility.md', (text) => addRoutes(text, forms));
  return tree.write();
}

/** Rows behind the last one of the table of routes. */
function addRoutes(text, { files, name }) {
  const rows = [
    ['POST', '', 201],
    ['GET', '', 200],
    ['GET', `/{${name}Id}`, 200],
    ['PATCH', `/{${name}Id}`, 200],
    ['DELETE', `/{${name}Id}`, 204],
  ].map(([method, rest, status]) => `| ${method} | \`/v1/${files}${rest}\` | ${status} | Herald only. |`);
  const lines = text.split('\n');
  const last = lines.findLastIndex(
    (line) => /^\| (GET|POST|PUT|PATCH|DELETE) +\| `\/v1\//.test(line) && /\| \d{3} +\|/.test(line),
  );
  if (last < 0) throw new Error('docs/compatibility.md has no table of routes.');
  return [...lines.slice(0, last + 1), ...rows, ...lines.slice(last + 1)].join('\n');
}
