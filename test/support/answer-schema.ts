import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Document, operationsOf, type Operation, type Schema } from './routes.js';

/**
 * Compares answers with what the OpenAPI document says of them, in both directions: nothing is missing or of another type,
 * and nothing is there that is not declared, but in objects that are declared to be free-form.
 */
export class AnswerSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

  constructor(private readonly document: Document) {
    const components = Object.entries(document.components.schemas).map(([name, one]) => [name, strict(one)] as const);
    const answers = operationsOf(document).flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema;
        return schema === undefined ? [] : [[`${operationId}-${status}`, closed(strict(schema))] as const];
      }),
    );
    // One schema that holds all: what several answers refer to is compiled once.
    this.ajv.addSchema({
      $id: 'document',
      components: { schemas: Object.fromEntries(components) },
      answers: Object.fromEntries(answers),
    });
  }

  /** The operation that a request belongs to: literal paths win over those with parameters. */
  operationOf(method: string, url: string): Operation {
    const path = url.split('?')[0] ?? '';
    const found = operationsOf(this.document)
      .filter((one) => one.method === method.toUpperCase() && patternOf(one.path).test(path))
      .sort((a, b) => (a.path.match(/\{/g)?.length ?? 0) - (b.path.match(/\{/g)?.length ?? 0));
    const [first] = found;
    if (first === undefined) throw new Error(`no operation for ${method} ${url}`);
    return first.operation;
  }

  /** What is wrong with an answer, each with its path; the status itself has to be declared, too. */
  faults(method: string, url: string, status: number, body: unknown): string[] {
    const { operationId, responses } = this.operationOf(method, url);
    const answer = responses[String(status)];
    if (answer === undefined) return [`${operationId} does not declare ${status}`];
    // A stream of lines has tests of its own.
    if (answer.content?.['application/x-ndjson'] !== undefined) return [];
    const schema = answer.content?.['application/json']?.schema;
    if (schema === undefined) return status === 204 ? [] : [`${operationId} does not say what ${status} looks like`];
    const key = `${operationId} ${status}`;
    return this.check(`${operationId}-${status}`, body).map((fault) => `${key}: ${fault}`);
  }

  private check(name: string, body: unknown): string[] {
    const validate = this.ajv.getSchema(`document#/answers/${name}`);
    if (validate === undefined) throw new Error(`no schema for ${name}`);
    return validate(body) === true ? [] : (validate.errors ?? []).map(textOf);
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function textOf({ instancePath, message = '', params }: ErrorObject): string {
  const field = 'unevaluatedProperty' in params ? String(params['unevaluatedProperty']) : '';
  return `${instancePath} ${message} ${field}`.trim();
}

/** A schema whose objects have no other fields than those declared. */
function strict(schema: Schema): Record<string, unknown> {
  const { discriminator: _discriminator, ...rest } = schema;
  const mapped: Record<string, unknown> = { ...rest };
  if (schema.properties !== undefined) mapped['properties'] = mapProperties(schema.properties);
  if (schema.items !== undefined) mapped['items'] = closed(strict(schema.items));
  // Parts of one object: what one of them declares, the others must let be.
  for (const key of ['allOf'] as const)
    if (schema[key] !== undefined) mapped[key] = schema[key].map((part) => strict(part));
  if (schema.oneOf !== undefined) {
    mapped['anyOf'] = schema.oneOf.map((part) => closed(strict(part)));
    delete mapped['oneOf'];
  }
  if (typeof schema.additionalProperties === 'object') {
    mapped['additionalProperties'] = closed(strict(schema.additionalProperties));
  }
  return mapped;
}

function mapProperties(properties: Record<string, Schema>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, closed(strict(property))]));
}

/** Refuses what no part of a schema declares. A schema without any field, or with free ones, is left as it is. */
function closed(schema: Record<string, unknown>): Record<string, unknown> {
  const isObject = schema['properties'] !== undefined || schema['$ref'] !== undefined || schema['allOf'] !== undefined;
  return isObject && schema['additionalProperties'] === undefined
    ? { ...schema, unevaluatedProperties: false }
    : schema;
}
