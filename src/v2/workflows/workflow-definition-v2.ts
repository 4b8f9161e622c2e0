import { CHANNELS } from '#libs/channels';
import { slugOf } from '#libs/persistence';
import { isObject, type RawObject } from '#libs/validation';
import type { WorkflowResponse } from '../../content/workflows/index.js';
import { ControlFault, stepOf } from './control-values.js';
import { conditionsOf, type StepNames } from './json-logic.js';
import type { PreferencesV2, StepV2, UpdateWorkflowV2Dto } from './workflow-v2.dto.js';
import { ControlsNotServed } from './workflows-v2.errors.js';

const STEP_ID_LENGTH = 100;

/** The names of the steps of a request: that of each step, or one made from what it is called. */
function stepIdsOf(steps: readonly StepV2[], known: readonly ShownStep[]): string[] {
  const taken = new Set<string>();
  return steps.map(({ _id, stepId, name, type }) => {
    const before = known.find((one) => one._id === _id);
    const wanted = stepId || before?.stepId || before?.uuid || slugOf(name, STEP_ID_LENGTH) || type;
    let free = wanted;
    for (let number = 2; taken.has(free); number += 1) free = `${wanted}-${number}`;
    taken.add(free);
    return free;
  });
}

type ShownStep = WorkflowResponse['steps'][number];

/** What is stored of a workflow, in two forms with the same steps. */
interface StoredSteps {
  readonly shown: readonly ShownStep[];
  readonly portable: readonly RawObject[];
}

const NOTHING: StoredSteps = { shown: [], portable: [] };

/** What control values say; the rest of a step stays as it is stored. */
const CONTROLLED = {
  template: ['content', 'contentType', 'subject', 'title', 'preheader', 'senderName', 'layout', 'cta', 'actor', 'data'],
  metadata: ['type', 'amount', 'unit', 'digestKey', 'backoff', 'backoffAmount', 'backoffUnit'],
} as const;

/** @throws {ControlsNotServed} with all that cannot be said */
export function portableStepsOf(steps: readonly StepV2[], stored: StoredSteps = NOTHING): object[] {
  const { shown: known } = stored;
  const stepIds = stepIdsOf(steps, known);
  const uuids = new Map(
    stepIds.map((stepId, at) => {
      const before = known.find((one) => one._id === steps[at]?._id || (one.stepId ?? one.uuid) === stepId);
      return [stepId, before?.uuid ?? stepId];
    }),
  );
  const names: StepNames = { uuidOf: (stepId) => uuids.get(stepId), stepIdOf: (uuid) => uuid };
  const faults: string[] = [];
  const made = steps.map((step, place) => {
    const stepId = stepIds[place] ?? '';
    const fault = (text: string): void => void faults.push(`steps.${place} ${text}`);
    const uuid = uuids.get(stepId);
    const before = stored.portable[known.findIndex((one) => one.uuid === uuid)];
    return withKept(before, { stepId, uuid, name: step.name, ...contentOf(step, names, fault) });
  });
  if (faults.length > 0) throw new ControlsNotServed(faults);
  return made;
}

function withKept(before: RawObject | undefined, step: RawObject): RawObject {
  const [was, is] = [before?.['template'], step['template']].map((one) => (isObject(one) ? one : {})) as [
    RawObject,
    RawObject,
  ];
  if (before === undefined || was['type'] !== is['type']) return step;
  const kept = (part: keyof typeof CONTROLLED): RawObject => {
    const own = Object.entries(isObject(before[part]) ? before[part] : {});
    const rest = own.filter(([name]) => !(CONTROLLED[part] as readonly string[]).includes(name));
    return { ...Object.fromEntries(rest), ...(step[part] as RawObject) };
  };
  return { ...before, ...step, template: kept('template'), metadata: kept('metadata') };
}

function contentOf({ type, controlValues }: StepV2, names: StepNames, fault: (text: string) => void): object {
  const values = isObject(controlValues) ? controlValues : {};
  try {
    const { template, metadata, dropped } = stepOf(type, values);
    for (const what of dropped) fault(`has ${what}, which steps of Herald do not have; leave it out`);
    const skip: RawObject = isObject(values['skip']) ? values['skip'] : {};
    const hasRule = Object.keys(skip).length > 0;
    const filters = hasRule ? conditionsOf(skip, names) : [];
    if (filters === undefined) fault('has a condition (skip) that conditions of Herald cannot say; simplify it');
    return { template, metadata, filters: filters ?? [] };
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    fault(error.message);
    return {};
  }
}

/** @returns fields of a definition: none if the request says nothing, and the defaults for null */
export function preferenceFields(preferences: PreferencesV2 | null | undefined): RawObject {
  if (preferences === undefined) return {};
  const { all, channels } = preferences?.user ?? preferences?.workflow ?? {};
  const isOn = (channel: string): boolean => (channels?.[channel]?.enabled ?? true) && (all?.enabled ?? true);
  return {
    critical: all?.readOnly === true,
    preferenceSettings: Object.fromEntries(CHANNELS.map((channel) => [channel, isOn(channel)])),
  };
}

/** @returns fields of a definition that all requests have */
export function sharedFields(
  dto: Pick<UpdateWorkflowV2Dto, 'description' | 'tags' | 'active' | 'severity'>,
): RawObject {
  const { description, tags, active, severity } = dto;
  const given = Object.entries({ description, tags, active, severity });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
