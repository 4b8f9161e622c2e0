import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bodyOf, isAbout } from './compare.mjs';
import { FORMS } from './specification-forms.mjs';

/**
 * Validates requests as a specification describes them. A field that it does not name is a fault as well: most providers ignore those, and
 * so the user's data is lost.
 * @param operations `POST /path` in OpenAPI, otherwise the name of what is sent
 * @returns a function that says what is wrong with a request
 */
export function readSpecification(folder, { file, operations, differs = {} }) {
  const document = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const read = FORMS.find(({ isOf }) => isOf(document));
  const judges = operations.map((operation) => {
    const { schema, definitions } = read.schemaOf(document, operation);
    const whole = { ...schema, $defs: definitions };
    return {
      isOf: pathOf(operation),
      strict: new Ajv2020(OPTIONS).compile(whole),
      texts: new Ajv2020(TEXTS).compile(whole),
    };
  });
  return async ({ headers, bytes, path, query }) => {
    const { strict, texts } = judges.find(({ isOf }) => isOf.test(path)) ?? {};
    if (strict === undefined) return [`${path} is none of ${operations.join(', ')}`];
    const body = await bodyOf(headers, bytes);
    const isForm = !(headers['content-type'] ?? '').includes('json');
    const errors = [
      ...(texts({ query: { ...query } }) ? [] : texts.errors),
      ...(isForm && !texts({ body: grouped(body ?? {}) }) ? texts.errors : []),
      ...(isForm || strict({ body }) ? [] : strict.errors),
    ];
    const lines = errors.filter(({ keyword }) => !['anyOf', 'if'].includes(keyword)).map(lineOf);
    return [...new Set(lines)].filter(
      (line) => !Object.keys(differs).some((place) => isAbout(place, line.split(' ')[0])),
    );
  };
}

const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false };
/** All values of forms and queries are texts, and a list of one value is that value. */
const TEXTS = { ...OPTIONS, coerceTypes: 'array' };

/** What the path of a request ends with, for `POST /path/{name}`; where an operation is only a name, any. */
function pathOf(operation) {
  const path = operation.split(' ')[1] ?? '';
  return new RegExp(`${path.replace(/[.+*?^$()[\]\\|]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);
}

function lineOf({ instancePath, message, params }) {
  const extra = params.unevaluatedProperty ?? params.additionalProperty;
  const field = extra ?? params.missingProperty;
  const path = `${instancePath.slice(1).replaceAll('/', '.')}${field === undefined ? '' : `.${field}`}`;
  return extra === undefined ? `${path} ${message}` : `${path} is not in the specification`;
}

/** `Attributes.entry.1.Name` of AWS forms as the map that it is. */
function grouped(form) {
  const all = {};
  const maps = new Map();
  for (const [name, value] of Object.entries(form)) {
    const [, map, place, path] = /^(\w+)\.entry\.(\d+)\.(.+)$/.exec(name) ?? [];
    // A file is a text, too.
    if (map === undefined) all[name] = Array.isArray(value) ? value : (value.sha ?? value);
    else maps.set(`${map} ${place}`, { ...maps.get(`${map} ${place}`), [path]: value });
  }
  for (const [key, { Name, ...rest }] of maps) {
    const [map] = key.split(' ');
    const values = Object.entries(rest).map(([path, value]) => [path.replace(/^Value\./, ''), value]);
    all[map] = { ...all[map], [Name]: Object.fromEntries(values) };
  }
  return all;
}
