import type { PayloadSchema, TypedWorkflow } from './payload-schema.js';

const NOTICE = 'Written by herald types: it is written again, so do not edit it.';

export const WRITERS: Readonly<Record<string, (workflows: readonly TypedWorkflow[]) => string>> = {
  typescript: typescriptOf,
  python: pythonOf,
  tools: toolsOf,
};

function typescriptOf(workflows: readonly TypedWorkflow[]): string {
  const members = workflows.map(
    ({ identifier, name, payload }) =>
      `  /** ${name.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n  ${JSON.stringify(identifier)}: ${typeOf(payload, '  ')};\n`,
  );
  return `// ${NOTICE}

/** The payload of each workflow, by its trigger identifier. */
export interface Payloads {
${members.join('')}}

export type WorkflowName = keyof Payloads;

/** What a trigger of a workflow says, besides its recipients. */
export interface TriggerOf<Name extends WorkflowName> {
  name: Name;
  payload: Payloads[Name];
}
`;
}

function typeOf({ type, properties = {}, required = [], items }: PayloadSchema, indent: string): string {
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return items === undefined ? 'unknown[]' : `${typeOf(items, indent)}[]`;
  if (type !== 'object') return 'string | number';
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([key, one]) => `${deeper}${JSON.stringify(key)}${required.includes(key) ? '' : '?'}: ${typeOf(one, deeper)};\n`,
  );
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`;
}

/** In the functional form, which takes keys of any name. */
function pythonOf(workflows: readonly TypedWorkflow[]): string {
  const names = classNamesOf(workflows);
  const written: string[] = [];
  const typeIn = ({ type, properties = {}, required = [], items }: PayloadSchema, name: string): string => {
    if (type === 'boolean') return 'bool';
    if (type === 'array') return items === undefined ? 'list[Any]' : `list[${typeIn(items, `${name}Item`)}]`;
    if (type !== 'object') return 'str | int | float';
    const fields = Object.entries(properties).map(([key, one], at) => {
      const inner = typeIn(one, `${name}${at + 1}`);
      return `    ${JSON.stringify(key)}: ${required.includes(key) ? inner : `NotRequired[${inner}]`},\n`;
    });
    written.push(`${name} = TypedDict("${name}", {\n${fields.join('')}})\n`);
    return name;
  };
  const payloads = workflows.map(({ payload }, at) => typeIn(payload, names[at] ?? ''));
  const identifiers = workflows.map(({ identifier }) => JSON.stringify(identifier));
  return `# ${NOTICE}
from typing import Any, Literal, NotRequired, TypedDict

${written.join('\n')}
WorkflowName = Literal[${identifiers.join(', ') || '""'}]

# The payload of each workflow, by its trigger identifier.
PAYLOADS: dict[str, Any] = {
${identifiers.map((identifier, at) => `    ${identifier}: ${payloads[at] ?? ''},\n`).join('')}}
`;
}

/** Functions as OpenAI describes them, whose parameters are JSON schemas that other frameworks take as well. */
function toolsOf(workflows: readonly TypedWorkflow[]): string {
  const tools = workflows.map(({ identifier, name, description, payload }) => ({
    type: 'function',
    function: {
      name: `trigger_${identifier.replaceAll(/[^\w-]/g, '_')}`.slice(0, 64),
      description: `Triggers '${identifier}': ${description ?? name}`,
      parameters: {
        type: 'object',
        properties: {
          to: { type: 'array', items: { type: 'string' }, description: 'Ids of subscribers' },
          payload,
        },
        required: ['to', 'payload'],
        additionalProperties: false,
      },
    },
  }));
  return `${JSON.stringify(tools, null, 2)}\n`;
}

/** One for each, also where identifiers differ in signs only. */
function classNamesOf(workflows: readonly TypedWorkflow[]): string[] {
  const used = new Set<string>();
  return workflows.map(({ identifier }) => {
    const words = identifier.match(/[A-Za-z0-9]+/g) ?? [];
    const plain = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const base = `${/^[A-Z]/.test(plain) ? '' : 'Workflow'}${plain}Payload`;
    let name = base;
    for (let count = 2; used.has(name); count += 1) name = `${base}_${count}`;
    used.add(name);
    return name;
  });
}
