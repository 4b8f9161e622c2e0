import { type NeededValues, STEP_TYPES } from '#libs/plugins';
import { Turns } from '#libs/worker-pool';
import { type ScopedText, variablesOf } from './block-scopes.js';
import { hasExpression, languageOf } from './languages.js';
import { renderedFields } from './rendered-fields.js';
import { visitTexts } from './visit-texts.js';
import type { EmailBlock } from './template-words.js';
import type { FoundVariable, TemplateLanguage } from './template.types.js';

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
  'answerUrl',
  'preferencesUrl',
] as const;

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
  } | null;
  filters?: readonly { children?: readonly { on?: string; field?: string }[] }[] | null;
  metadata?: object | null;
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
export function extractTriggerVariables(
  steps: readonly VariableSource[],
  language?: TemplateLanguage | null,
): TriggerVariables {
  return triggerVariables(
    steps,
    steps.flatMap((step) => extractStepVariables(step, language)),
  );
}

/** For templates of many megabytes: yields to the event loop between steps. */
export async function extractTriggerVariablesInTurns(
  steps: readonly VariableSource[],
  language?: TemplateLanguage | null,
): Promise<TriggerVariables> {
  const turns = new Turns();
  const found: FoundVariable[] = [];
  for (const step of steps) {
    for (const part of [{ ...step, variants: [] }, ...(step.variants ?? [])]) {
      found.push(...extractStepVariables(part, language));
      await turns.offer();
    }
  }
  return triggerVariables(steps, found);
}

function triggerVariables(steps: readonly VariableSource[], all: readonly FoundVariable[]): TriggerVariables {
  const found = unique(all);
  const roots = new Set(found.map(({ name }) => rootOf(name)));
  const reserved = (['tenant', 'actor'] as const).filter((type) => roots.has(type));
  const addresses = new Set(steps.map((step) => STEP_TYPES.get(step.template?.type)?.address));
  return {
    variables: found.filter(({ name }) => !isSystemVariable(name)),
    reservedVariables: reserved.map((type) => ({ type, variables: [{ name: RESERVED[type], type: 'String' }] })),
    subscriberVariables: [
      ...(addresses.has('phone') ? [{ name: 'phone' as const }] : []),
      ...(addresses.has('email') ? [{ name: 'email' as const }] : []),
    ],
  };
}

/** Includes variants and system variables. @throws {TemplateError} */
function extractStepVariables(step: VariableSource, language: TemplateLanguage | null | undefined): FoundVariable[] {
  const needs = needsOf(step);
  return unique([
    ...templateTexts(step.template).flatMap((text) => variablesOf(text, language)),
    ...expressionsOf(needs.texts).flatMap(languageOf(language).variables),
    ...payloadFields(step),
    ...pathsOf(needs),
    ...(step.variants ?? []).flatMap((variant) => extractStepVariables(variant, language)),
  ]);
}

export function isSystemVariable(name: string): boolean {
  const root = rootOf(name);
  return SYSTEM_VARIABLES.some((system) => system === root);
}

function templateTexts(template: VariableSource['template']): ScopedText[] {
  if (!template) return [];
  const { type, content } = template;
  if (type === undefined && typeof content === 'string') return [{ source: content }];
  return renderedFields(type, template);
}

/** What the type of the step says. All texts of a plugin's input are templates. */
function needsOf({ template, metadata }: VariableSource): NeededValues {
  const declaration = STEP_TYPES.get(template?.type);
  const own = declaration?.needs?.({ template: { ...template }, metadata: { ...metadata } }) ?? {};
  return declaration?.input === undefined ? own : { ...own, texts: [...(own.texts ?? []), template?.input] };
}

function expressionsOf(input: unknown): string[] {
  const found: string[] = [];
  visitTexts(input, [], (text) => void (hasExpression(text) && found.push(text)));
  return found;
}

function payloadFields({ filters }: VariableSource): FoundVariable[] {
  const children = (filters ?? []).flatMap((group) => group.children ?? []);
  const fields = children.filter(({ on = 'payload' }) => on === 'payload').map(({ field }) => field);
  return texts(fields).map((name) => ({ name, type: 'String' }));
}

function pathsOf({ paths = [], dates = [] }: NeededValues): FoundVariable[] {
  return texts([...paths, ...dates]).map((name) => ({ name: name.replace(PAYLOAD, ''), type: 'String' }));
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
