import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exampleOf, resolve } from '../openapi-example.mjs';

const DOCUMENT = join(fileURLToPath(new URL('../..', import.meta.url)), 'openapi.json');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const DEEPEST = 6;

/** A page for each group of operations, made of the OpenAPI document. */
export function referencePages() {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
  return document.tags
    .map(({ name, description = '' }) => ({
      title: `${name} API`,
      url: `reference/${groupOf(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      description,
      own: operations.filter(({ operation }) => operation.tags?.[0] === name),
    }))
    .filter(({ own }) => own.length > 0)
    .map(({ title, url, description, own }) => ({
      source: `openapi.json#${url}`,
      title,
      url,
      markdown: [`# ${title}`, description, ...own.flatMap((one) => sectionOf(document, one))].join('\n\n'),
    }));
}

/** As the clients name it: `Messages of a subscriber` becomes `messagesOfASubscriber`. */
function groupOf(tag) {
  const [first, ...rest] = tag.split(/\W+/);
  return [first.toLowerCase(), ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

function sectionOf(document, { path, method, operation }) {
  const { summary = operation.operationId, description, deprecated, parameters = [] } = operation;
  const all = parameters.map((one) => resolve(document, one)).filter(({ in: place }) => place !== 'header');
  const content = operation.requestBody?.content?.['application/json'];
  const body = content && bodyOf(document, content);
  return [
    `## ${summary.replace(/\.$/, '')}`,
    `\`${method.toUpperCase()} ${path}\`${deprecated ? ', deprecated' : ''}`,
    ...(description ? [description] : []),
    ...tableOf(
      'Parameter',
      all.map((one) => rowOf(document, one.name, one.schema, one)),
    ),
    ...tableOf('Field', fieldsOf(document, content?.schema)),
    ...(path.startsWith('/v1/') ? examplesOf(document, { path, method, operation }, all, body) : []),
    `Answers: ${Object.keys(operation.responses)
      .map((status) => `\`${status}\``)
      .join(', ')}.`,
  ];
}

function tableOf(head, rows) {
  if (rows.length === 0) return [];
  return [[`| ${head} | Type | Meaning |`, '| --- | --- | --- |', ...rows].join('\n')];
}

function fieldsOf(document, schema) {
  const { properties = {}, required = [] } = resolve(document, schema);
  return Object.entries(properties).map(([name, one]) =>
    rowOf(document, name, one, { required: required.includes(name), description: one.description }),
  );
}

function rowOf(document, name, schema = {}, { required = false, description }) {
  const { description: own = '', default: byDefault } = resolve(document, schema);
  const words = [description ?? own, byDefault === undefined ? '' : `Default: \`${JSON.stringify(byDefault)}\`.`];
  const meaning = words.join(' ').replaceAll('\n', ' ').replaceAll('|', '\\|').trim();
  return `| \`${name}\`${required ? ' (required)' : ''} | ${typeOf(document, schema).replaceAll('|', '\\|')} | ${meaning} |`;
}

function typeOf(document, schema, depth = 0) {
  const { type, enum: values, items, oneOf, anyOf, allOf, format } = resolve(document, schema);
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  const choices = oneOf ?? anyOf ?? (allOf?.length === 1 ? allOf : undefined);
  if (choices !== undefined && depth < DEEPEST)
    return [...new Set(choices.map((one) => typeOf(document, one, depth + 1)))].join(' or ');
  const types = [type ?? 'object'].flat();
  if (types.includes('array') && depth < DEEPEST) return `list of ${typeOf(document, items, depth + 1)}`;
  return types.map((one) => (one === 'string' && format === 'date-time' ? 'time' : one)).join(' or ');
}

/** The first example of the document, or one made of the examples of the fields. */
function bodyOf(document, { example, examples, schema }) {
  return example ?? Object.values(examples ?? {})[0]?.value ?? exampleOf(document, schema);
}

/** The same request three times, in a group that VitePress shows as tabs. */
function examplesOf(document, { path, method, operation }, parameters, body) {
  const valueOf = ({ schema, example, examples }) =>
    example ?? Object.values(examples ?? {})[0]?.value ?? exampleOf(document, schema);
  const inPlace = (place) => parameters.filter((one) => one.in === place && (place === 'path' || one.required));
  const values = Object.fromEntries(inPlace('path').map((one) => [one.name, String(valueOf(one))]));
  const query = Object.fromEntries(inPlace('query').map((one) => [one.name, String(valueOf(one))]));
  const address = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(values[name] ?? name));
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const given = { path: values, query, body };
  const used = Object.entries(given).filter(([, one]) => one !== undefined && Object.keys(one).length > 0);
  const named = used.map(([name, one]) => `${name}: ${JSON.stringify(one, undefined, 2)}`).join(', ');
  const name = `${groupOf(operation.tags[0])}.${operation.operationId}`;
  const words = { path: 'values', query: 'query', body: 'body' };
  const python = used.map(([one, value]) => `, ${words[one]}=${pythonOf(value)}`).join('');
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} 'http://127.0.0.1:3000${address}${search}'`,
    ...identityOf(operation),
    ...(body === undefined ? [] : [`-H 'content-type: application/json' -d '${shell(body)}'`]),
  ];
  const typescript = operation.deprecated
    ? `await herald.request('${method.toUpperCase()}', '${path}'${named && `, { ${named} }`});`
    : `await herald.${name}(${named && `{ ${named} }`});`;
  const examples = [
    ['sh', 'curl', lines.join(' \\\n  ')],
    ['ts', 'TypeScript', typescript],
    ['python', 'Python', `herald.request("${method.toUpperCase()}", "${path}"${python})`],
  ];
  const fences = examples.map(([language, title, code]) => `\`\`\`${language} [${title}]\n${code}\n\`\`\``);
  return [`::: code-group\n\n${fences.join('\n\n')}\n\n:::`];
}

/** Whose request it is: of a key, of a subscriber's session, or of anybody. */
function identityOf({ security: [scheme] = [{ ApiKey: [] }] }) {
  if (scheme === undefined) return [];
  return [`-H "Authorization: ${'ApiKey' in scheme ? 'ApiKey $HERALD_API_KEY' : 'Bearer $SESSION_TOKEN'}"`];
}

const shell = (value) => JSON.stringify(value, undefined, 2).replaceAll("'", String.raw`'\''`);

function pythonOf(value) {
  return JSON.stringify(value, undefined, 2).replace(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (_all, text, word) => text ?? { true: 'True', false: 'False', null: 'None' }[word],
  );
}
