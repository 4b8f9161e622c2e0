import { STEP_TYPES } from '#libs/plugins';
import { Turns } from '#libs/worker-pool';
import { extractVariables } from './extract-variables.js';
import { renderedFields } from './rendered-fields.js';
import { visitTexts } from './visit-texts.js';
import type { EmailBlock } from './step-template.schema.js';
import type { FoundVariable } from './template.types.js';

/** Supplied by the engine, so a payload need not contain them. */
const SYSTEM_VARIABLES = [
  'subscriber',
  'step',
  'steps',
  'secrets',
  'branding',
  'tenant',
  'preheader',
  'actor',
  'unsubscribeUrl',
  'preferencesUrl',
] as const;

interface Metadata {
  type?: string;
  delayPath?: string | null;
  digestKey?: string | null;
  throttleKey?: string | null;
  dynamicKey?: string | null;
  match?: readonly { readonly value?: string | null }[] | null;
}

export interface VariableSource {
  /** Its texts are those of the table in `rendered-fields.ts`. */
  template?: {
    type?: string;
    content?: string | readonly Pick<EmailBlock, 'content' | 'url'>[] | null;
    subject?: string | null;
    title?: string | null;
    cta?: unknown;
    /** Of a plugin's step. */
    input?: unknown;
    /** Of a request. */
    url?: unknown;
    headers?: unknown;
    body?: unknown;
  } | null;
  filters?: readonly { children?: readonly { on?: string; field?: string }[] }[] | null;
  metadata?: Metadata | null;
  variants?: readonly VariableSource[] | null;
}

export type ReservedVariableType = 'tenant' | 'actor';

export interface ReservedVariable {
  type: ReservedVariableType;
  variables: FoundVariable[];
}

export interface TriggerVariables {
  variables: FoundVariable[];
  reservedVariables: ReservedVariable[];
  subscriberVariables: { name: 'phone' | 'email' }[];
}

/** In the keys of digests and throttles. */
const PAYLOAD = /^payload\./;

/** Fields that a trigger must send if a template uses `tenant` or `actor`. */
const RESERVED: Readonly<Record<ReservedVariableType, string>> = { tenant: 'identifier', actor: 'subscriberId' };

/**
 * Payload variables, `tenant`, `actor`, and the addresses of channels.
 * @throws {TemplateError} for a template that cannot be read
 */
export function extractTriggerVariables(steps: readonly VariableSource[]): TriggerVariables {
  return triggerVariables(steps, steps.flatMap(extractStepVariables));
}

/** For templates of many megabytes: yields to the event loop between steps. */
export async function extractTriggerVariablesInTurns(steps: readonly VariableSource[]): Promise<TriggerVariables> {
  const turns = new Turns();
  const found: FoundVariable[] = [];
  for (const step of steps) {
    for (const part of [{ ...step, variants: [] }, ...(step.variants ?? [])]) {
      found.push(...extractStepVariables(part));
      await turns.offer();
    }
  }
  return triggerVariables(steps, found);
}

function triggerVariables(steps: readonly VariableSource[], all: readonly FoundVariable[]): TriggerVariables {
  const found = unique(all);
  const roots = new Set(found.map(({ name }) => rootOf(name)));
  const reserved = (['tenant', 'actor'] as const).filter((type) => roots.has(type));
  const types = new Set(steps.map((step) => step.template?.type));
  return {
    variables: found.filter(({ name }) => !isSystemVariable(name)),
    reservedVariables: reserved.map((type) => ({ type, variables: [{ name: RESERVED[type], type: 'String' }] })),
    subscriberVariables: [
      ...(types.has('sms') ? [{ name: 'phone' as const }] : []),
      ...(types.has('email') ? [{ name: 'email' as const }] : []),
    ],
  };
}

/** Includes variants and system variables. @throws {TemplateError} */
function extractStepVariables(step: VariableSource): FoundVariable[] {
  return unique([
    ...[...templateTexts(step.template), ...valuesOfWait(step)].flatMap(extractVariables),
    ...payloadFields(step),
    ...metadataPaths(step),
    ...(step.variants ?? []).flatMap(extractStepVariables),
  ]);
}

export function isSystemVariable(name: string): boolean {
  const root = rootOf(name);
  return SYSTEM_VARIABLES.some((system) => system === root);
}

function templateTexts(template: VariableSource['template']): string[] {
  if (!template) return [];
  const { type, content, input } = template;
  if (type === 'http_request') return expressionsOf([template.url, template.headers, template.body]);
  if (type !== undefined && STEP_TYPES.get(type) !== undefined) return expressionsOf(input);
  if (type === undefined && typeof content === 'string') return [content];
  return renderedFields(type, template).map(({ source }) => source);
}

function valuesOfWait({ template, metadata }: VariableSource): string[] {
  if (template?.type !== 'wait_for_event') return [];
  return expressionsOf((metadata?.match ?? []).map(({ value }) => value));
}

function expressionsOf(input: unknown): string[] {
  const found: string[] = [];
  visitTexts(input, [], (text) => void (text.includes('{{') && found.push(text)));
  return found;
}

function payloadFields({ filters }: VariableSource): FoundVariable[] {
  const children = (filters ?? []).flatMap((group) => group.children ?? []);
  const fields = children.filter(({ on = 'payload' }) => on === 'payload').map(({ field }) => field);
  return texts(fields).map((name) => ({ name, type: 'String' }));
}

function metadataPaths({ template, metadata }: VariableSource): FoundVariable[] {
  return texts(pathsOf(template?.type, metadata ?? {})).map((name) => ({
    name: name.replace(PAYLOAD, ''),
    type: 'String',
  }));
}

function pathsOf(type: string | undefined, metadata: Metadata): readonly (string | null | undefined)[] {
  if (type === 'delay') return metadata.type === 'scheduled' ? [metadata.delayPath] : [];
  if (type === 'digest') return [metadata.digestKey];
  if (type !== 'throttle') return [];
  return [metadata.throttleKey, metadata.type === 'dynamic' ? metadata.dynamicKey : undefined];
}

function texts(values: readonly (string | null | undefined)[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

/** In order of first appearance; the last type wins. */
function unique(variables: readonly FoundVariable[]): FoundVariable[] {
  const types = new Map(variables.map(({ name, type }) => [name, type]));
  return [...types].map(([name, type]) => ({ name, type }));
}

function rootOf(name: string): string {
  return name.split('.', 1)[0] ?? name;
}
