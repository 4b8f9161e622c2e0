import { DateTime } from 'luxon';
import { readPath } from '#libs/common';
import { missingVariables, type TemplateVariable, withVariableDefaults } from '#libs/templates';
import type { ResolvedStep, ResolvedWorkflow } from '../../management/workflows/index.js';

export const TRIGGER_STATUSES = [
  'processed',
  'trigger_not_active',
  'no_workflow_steps_defined',
  'no_workflow_active_steps_defined',
  'no_tenant_found',
  'error',
] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

type Payload = Readonly<Record<string, unknown>>;

export function refusalStatus(
  workflow: Pick<ResolvedWorkflow, 'steps'>,
  isActive: boolean,
): 'trigger_not_active' | 'no_workflow_steps_defined' | 'no_workflow_active_steps_defined' | undefined {
  if (!isActive) return 'trigger_not_active';
  if (workflow.steps.length === 0) return 'no_workflow_steps_defined';
  return workflow.steps.some(({ active }) => active) ? undefined : 'no_workflow_active_steps_defined';
}

export function missingReserved(
  workflow: Pick<ResolvedWorkflow, 'trigger'>,
  given: { readonly tenant: boolean; readonly actor: boolean },
): string[] {
  return workflow.trigger.reservedVariables.filter(({ type }) => !given[type]).map(({ type }) => `${type} object`);
}

/** Missing or of a wrong type: `name (Value)`, `sendAt (ISO Date)`. */
export function missingFromPayload(workflow: Pick<ResolvedWorkflow, 'steps'>, payload: Payload): string[] {
  const steps = workflow.steps.filter(({ active }) => active);
  const dates = steps.map(delayPathOf).filter((path) => path !== undefined);
  return [
    ...new Set([
      ...missingVariables(variablesOf(workflow), payload),
      ...dates.filter((path) => !isIsoDate(payload, path)).map((path) => `${path} (ISO Date)`),
    ]),
  ];
}

export function withDefaults(workflow: Pick<ResolvedWorkflow, 'steps'>, payload: Payload): Record<string, unknown> {
  return { ...withVariableDefaults(variablesOf(workflow), payload) };
}

function variablesOf({ steps }: Pick<ResolvedWorkflow, 'steps'>): TemplateVariable[] {
  return steps
    .filter(({ active }) => active)
    .flatMap((step) => [step, ...step.variants])
    .flatMap(({ template }) => (template['variables'] as TemplateVariable[] | undefined) ?? []);
}

function delayPathOf({ template, metadata }: ResolvedStep): string | undefined {
  return template['type'] === 'delay' && metadata.type === 'scheduled' ? metadata.delayPath : undefined;
}

function isIsoDate(payload: Payload, path: string): boolean {
  const value = readPath(payload, path);
  return typeof value === 'string' && DateTime.fromISO(value).isValid;
}
