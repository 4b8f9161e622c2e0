import ts from 'typescript';
import { payloadSchema, type TypedWorkflow } from './payload-schema.js';
import { WRITERS } from './written-types.js';

const WORKFLOWS: TypedWorkflow[] = [
  {
    identifier: 'order-shipped',
    name: 'Order */ shipped',
    description: 'Tells the customer',
    payload: payloadSchema(
      [
        { name: 'order.number', type: 'String' },
        { name: 'order.total', type: 'String' },
        { name: 'gift', type: 'Boolean' },
        { name: 'tags', type: 'Array' },
        { name: 'items', type: 'Array' },
        { name: 'items.name', type: 'String' },
        { name: 'delivery-note', type: 'String' },
      ],
      new Set(['order.number']),
    ),
  },
  { identifier: 'order.shipped', name: 'The same in Python', payload: payloadSchema([], new Set()) },
  { identifier: '2fa', name: 'Begins with a digit', payload: payloadSchema([], new Set()) },
];

const write = (form: string, workflows = WORKFLOWS): string => WRITERS[form]?.(workflows) ?? '';

/** The faults of a program that uses the types. */
function faultsOf(use: string): string[] {
  const text = `${write('typescript')}\n${use}`;
  const options: ts.CompilerOptions = { strict: true, noEmit: true, lib: ['lib.es2022.d.ts'], types: [] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === 'use.ts' ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : read(name, ...rest);
  const program = ts.createProgram(['use.ts'], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n').at(-1) ?? '');
}

describe('types for TypeScript', () => {
  it('should accept what the templates take, and find what is missing, wrong or misspelled', () => {
    const event = (payload: string): string =>
      `const event: TriggerOf<'order-shipped'> = { name: 'order-shipped', payload: ${payload} };`;
    expect(
      faultsOf(
        event(
          `{ order: { number: 1, total: 'x' }, gift: true, tags: ['a', 1], items: [{ name: 'b' }], 'delivery-note': '' }`,
        ),
      ),
    ).toEqual([]);
    expect(faultsOf(event('{ order: { total: 1 } }'))).toEqual([expect.stringContaining('\'"number"\' is missing')]);
    expect(faultsOf(event('{ order: { number: 1 }, gift: 1 }'))).toEqual([expect.stringContaining("'number'")]);
    expect(faultsOf(event('{ order: { nubmer: 1 } }'))).toEqual([expect.stringContaining('nubmer')]);
    expect(faultsOf(`const name: WorkflowName = 'order-sent';`)).toEqual([expect.stringContaining('order-sent')]);
  });

  it('should be valid without any workflow', () => {
    expect(write('typescript', [])).toContain('export interface Payloads {\n}');
    expect(write('python', [])).toContain('WorkflowName = Literal[""]');
    expect(JSON.parse(write('tools', []))).toEqual([]);
  });
});

describe('types for Python', () => {
  it('should be a dictionary for each object, each before it is used, and a name for each workflow', () => {
    const text = write('python');
    expect(text).toContain('    "number": str | int | float,\n    "total": NotRequired[str | int | float],\n');
    expect(text).toContain('    "items": NotRequired[list[OrderShippedPayload4Item]],\n');
    const made = [...text.matchAll(/^(\w+) = TypedDict\("\1"/gm)].map(([, name]) => name);
    expect(made).toEqual([
      'OrderShippedPayload1',
      'OrderShippedPayload4Item',
      'OrderShippedPayload',
      'OrderShippedPayload_2',
      'Workflow2faPayload',
    ]);
  });
});

describe('tools of agents', () => {
  it('should be functions with JSON schemas, whose names OpenAI takes', () => {
    const tools = JSON.parse(write('tools')) as { function: { name: string; parameters: object } }[];
    expect(tools.map(({ function: { name } }) => name)).toEqual([
      'trigger_order-shipped',
      'trigger_order_shipped',
      'trigger_2fa',
    ]);
    expect(tools[0]?.function).toMatchObject({
      description: "Triggers 'order-shipped': Tells the customer",
      parameters: {
        required: ['to', 'payload'],
        properties: {
          payload: {
            type: 'object',
            required: ['order'],
            properties: {
              order: { type: 'object', required: ['number'], properties: { number: { type: ['string', 'number'] } } },
              gift: { type: 'boolean' },
              items: { type: 'array', items: { type: 'object' } },
            },
          },
        },
      },
    });
  });
});
