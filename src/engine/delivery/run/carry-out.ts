import { mongo } from 'mongoose';
import { storeFault } from '#libs/common';
import { ConditionBudgetError, ConditionTemplateError } from '#libs/conditions';
import { RenderingBusy } from '#libs/templates';
import { LeaseLost } from '#libs/work';
import { DETAIL } from '../../execution-details/index.js';
import type { StepHandlers, StepTask } from './step-handler.js';
import { combine, detailOf, interruptionOf, reportOf, type StepReport } from './step-report.js';

/** How long a step waits whose message could not be rendered because too many others were waiting. */
const BUSY_MS = 1_000;

/**
 * Carries out one step with the handler of its type. Changes nothing of the run.
 * @param onFault called with faults that are neither the template's nor the conditions'
 * @throws what leaves the step undecided: the store is unavailable, or the lease is lost
 */
export async function carryOut(
  handlers: StepHandlers,
  task: StepTask,
  onFault: (message: string, reason: unknown) => void,
): Promise<StepReport> {
  const { run, state, now } = task;
  if (run.facts.isTenantMissing === true) {
    const error = 'The tenant of the event is no longer there.';
    const detail = detailOf(state, DETAIL.tenantNotFound, now, { raw: { tenant: run.event.tenant } });
    return reportOf({ kind: 'failed', reason: 'tenant_missing', error }, [detail]);
  }
  const handler = handlers.get(state.type);
  if (handler === undefined) return unsupported(task, onFault);
  try {
    return await handler.run(task);
  } catch (error) {
    return interrupted(task, error, onFault);
  }
}

function interrupted(
  { state, now }: StepTask,
  error: unknown,
  onFault: (message: string, reason: unknown) => void,
): StepReport {
  const { reason, effects } = interruptionOf(error);
  // While the store is unavailable nothing is decided: the lease ends, and the next attempt begins where this one did.
  const isUndecided = reason instanceof mongo.MongoError || storeFault(reason) !== undefined;
  if (isUndecided || reason instanceof LeaseLost) throw error;
  if (reason instanceof RenderingBusy) {
    const outcome = { kind: 'busy', at: new Date(now.getTime() + BUSY_MS), hasBegun: true } as const;
    return { outcome, progress: {}, ...effects };
  }
  const message = reason instanceof Error ? reason.message : 'unknown fault';
  const isCondition = reason instanceof ConditionBudgetError || reason instanceof ConditionTemplateError;
  if (!isCondition) onFault(message, reason);
  const detail = isCondition ? DETAIL.processingFilterFailed : DETAIL.notificationError;
  return {
    outcome: isCondition
      ? { kind: 'failed', reason: 'conditions_failed', error: message }
      : { kind: 'failed', reason: 'internal_error', error: message, deadLetter: true },
    progress: {},
    ...combine(effects, { details: [detailOf(state, detail, now, { raw: { error: message } })] }),
  };
}

/** Types that only older workflows have. */
const NEVER_RUN: ReadonlySet<string> = new Set(['custom', 'trigger']);

/** Workflows still have steps that were saved before their types were refused, or while a plugin carried them out. */
function unsupported({ state, now }: StepTask, onFault: (message: string, reason: unknown) => void): StepReport {
  const isOfPlugin = !NEVER_RUN.has(state.type);
  const error = isOfPlugin
    ? `No plugin of this process has steps of the type ${state.type}. Enter the plugin in HERALD_PLUGINS of every process, or remove the step from the workflow.`
    : `Steps of the type ${state.type} are not run here. Remove the step from the workflow.`;
  if (isOfPlugin) onFault(error, undefined);
  const detail = detailOf(state, DETAIL.stepTypeNotRun, now, { raw: { type: state.type, error } });
  return reportOf({ kind: 'failed', reason: 'step_type_not_run', error }, [detail]);
}
