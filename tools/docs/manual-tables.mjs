import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../build.mjs';
import { parse } from '../checks/project.mjs';
import { LIMITS } from './manual-limits.mjs';

/** Components of the OpenAPI document whose fields the manual lists, by page. */
const FIELDS = {
  'workflow-reference.md': [
    'CreateWorkflowDto',
    'StepDto',
    'InAppTemplateDto',
    'EmailTemplateDto',
    'SmsTemplateDto',
    'ChatTemplateDto',
    'PushTemplateDto',
    'EmailBlockDto',
    'StepCtaDto',
    'StepButtonDto',
    'StepActorDto',
    'CreateLayoutDto',
  ],
  'events.md': ['TriggerEventDto', 'SubscriberRecipientDto'],
  'conditions.md': ['ConditionGroupDto', 'ConditionDto'],
  'delays-and-digests.md': ['StepMetadataDto', 'TimedRuleDto'],
  'http-requests.md': ['HttpRequestTemplateDto'],
  'templates.md': ['TemplateVariableDto'],
};

/** The tables of the manual that are generated, each with its page and its marker. */
export function manualTables() {
  const { schemas } = JSON.parse(read('openapi.json')).components;
  const fields = Object.entries(FIELDS).flatMap(([page, names]) =>
    names.map((name) => ({ path: `docs/manual/${page}`, marker: name, text: fieldsTable(schemas, name) })),
  );
  const limits = Object.entries(LIMITS).map(([marker, rows]) => {
    return { path: 'docs/manual/limits.md', marker, text: limitsTable(rows) };
  });
  return [...fields, ...limits];
}

/** Required fields first, otherwise in the order of the document. */
export function fieldsTable(schemas, name) {
  const { properties = {}, required = [] } = schemas[name];
  const names = Object.keys(properties);
  const sorted = [...names.filter((one) => required.includes(one)), ...names.filter((one) => !required.includes(one))];
  const rows = sorted.map((one) => {
    const property = properties[one];
    const mark = required.includes(one) ? ', required' : '';
    return `| \`${one}\` | ${typeOf(property, schemas)}${mark} | ${meaningOf(property)} |`;
  });
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** Null is not shown: in requests it means the same as an absent field, or the text says what it means. */
function typeOf(property, schemas) {
  const { enum: values, items, allOf, $ref, pattern } = property;
  const type = [property.type].flat().find((one) => one !== 'null');
  const oneOf = property.oneOf?.filter((one) => one.type !== 'null');
  if ($ref) return schemas[nameOf($ref)]?.type ?? 'object';
  if (allOf) return typeOf(allOf[0], schemas);
  if (oneOf) return [...new Set(oneOf.map((one) => typeOf(one, schemas)))].join(' or ');
  if (values) return values.flatMap((value) => (value === null ? [] : `\`${value}\``)).join(', ');
  if (pattern?.startsWith('^[0-9a-f') === true) return 'id';
  if (type === 'array') return `list of ${plural(typeOf(items ?? {}, schemas))}`;
  return type === 'string' ? 'text' : (type ?? 'any');
}

const PLURALS = { text: 'texts', object: 'objects', integer: 'numbers', any: 'values' };

function plural(types) {
  return types
    .split(' or ')
    .map((type) => PLURALS[type] ?? type)
    .join(' or ');
}

function meaningOf({ description = '', default: fallback, maxLength, maxItems, oneOf = [] }) {
  const longest = maxLength ?? oneOf.find((one) => one.maxLength)?.maxLength;
  const most = maxItems ?? oneOf.find((one) => one.maxItems)?.maxItems;
  const text = description.replace(/\s+/g, ' ').trim();
  return [
    text,
    fallback === undefined || text.includes('Default:') ? '' : `Default: ${JSON.stringify(fallback)}.`,
    longest === undefined ? '' : `At most ${grouped(longest)} characters.`,
    most === undefined || text.includes(String(most)) ? '' : `At most ${grouped(most)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('|', '\\|');
}

/** Limits with the values that the constants have in the code. @throws {Error} where a constant is gone */
export function limitsTable(rows) {
  const lines = rows.map(([what, path, name, unit = '']) => `| ${what} | ${shown(constantOf(path, name), unit)} |`);
  return ['| What | At most |', '|---|---|', ...lines].join('\n');
}

function shown(value, unit) {
  if (unit !== 'ms') return `${grouped(value)}${unit && ` ${unit}`}`;
  const [amount, name] =
    value < 60_000
      ? [value / 1_000, 'second']
      : value < 3_600_000
        ? [value / 60_000, 'minute']
        : [value / 3_600_000, 'hour'];
  return `${grouped(amount)} ${name}${amount === 1 ? '' : 's'}`;
}

const trees = new Map();

function constantOf(path, name) {
  if (!trees.has(path)) trees.set(path, parse(path, read(path)).tree);
  const declared = trees
    .get(path)
    .statements.filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations])
    .find((declaration) => declaration.name.getText() === name);
  if (declared === undefined) throw new Error(`${path} has no constant ${name}, which docs/manual/limits.md names.`);
  return numberOf(declared.initializer, name);
}

function numberOf(node, name) {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) {
    return numberOf(node.left, name) * numberOf(node.right, name);
  }
  throw new Error(`${name} is no plain number: ${node.getText()}`);
}

function grouped(number) {
  return number.toLocaleString('en-US');
}

function nameOf(reference) {
  return reference.split('/').at(-1);
}

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}
