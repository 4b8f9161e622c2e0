import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addImport, addToList } from './edit.mjs';
import { assertKebab, formsOf, UsageError } from './names.mjs';

const TEMPLATES = fileURLToPath(new URL('./step', import.meta.url));

/**
 * Writes a step type that works, in a folder of the engine, and enters its module.
 * @param name in kebab case, such as `open-ticket`; its type has underscores
 * @returns the paths that were written
 */
export function addStep(tree, name) {
  assertKebab(name, 'The name of a step type');
  const forms = formsOf(name);
  const folders = ['', 'delivery/steps/'].flatMap((at) => [at + forms.file, at + forms.code]);
  if (folders.some((folder) => existsSync(join(tree.root, 'src', 'engine', folder)))) {
    throw new UsageError(`The folder '${forms.file}' already exists.`);
  }
  tree.createFrom(TEMPLATES, forms, (path) =>
    path.replace(/^src\//, `src/engine/${forms.file}/`).replace(/^test\//, `test/${forms.file}/`),
  );
  const module = `${forms.Name}Module`;
  tree.edit('src/engine/engine.module.ts', (text) =>
    addToList(addImport(text, { name: module, from: `./${forms.file}/index.js` }), 'imports', module),
  );
  return tree.write();
}
