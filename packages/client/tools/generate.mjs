import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const DOCUMENT = new URL('../../../openapi.json', import.meta.url);
/** A field with a default may be left out of a request. */
const OPTIONS = { defaultNonNullable: false };
const SOURCES = new URL('../src/', import.meta.url);

// node tools/generate.mjs  writes what the client takes from openapi.json: the types, and the names of the operations
const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
mkdirSync(SOURCES, { recursive: true });
write(
  'schema.d.ts',
  `// Written by tools/generate.mjs from openapi.json.\n${astToString(await openapiTS(readFileSync(DOCUMENT, 'utf8'), OPTIONS))}`,
);
write('operations.ts', operationsOf(document));

/** Writes only what has changed, so that builds which depend on it stay current. */
function write(name, text) {
  const file = fileURLToPath(new URL(name, SOURCES));
  if (readIfThere(file) !== text) writeFileSync(file, text);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The operations that are not deprecated, by tag and operation id. */
function operationsOf({ paths }) {
  const groups = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { operationId, deprecated, tags = [] }] of Object.entries(item)) {
      if (deprecated !== true) (groups[groupName(tags[0])] ??= {})[operationId] = `${method.toUpperCase()} ${path}`;
    }
  }
  const text = JSON.stringify(groups, null, 2);
  return `// Written by tools/generate.mjs from openapi.json.\n/** Method and path of each operation, by group. */\nexport const OPERATIONS = ${text} as const;\n`;
}

/** `Messages of a subscriber` becomes `messagesOfASubscriber`. */
function groupName(tag) {
  const [first, ...rest] = tag.split(/\W+/);
  return [first.toLowerCase(), ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}
