import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { OutboundHttp } from '#libs/channels';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { inputSchemaOf, STEP_TYPES, StepError, type StepTypeDeclaration } from '#libs/plugins';
import { retryDelayMs } from '#libs/schedule';
import { hasExpression, replaceTexts, TemplateError, visitTexts } from '#libs/templates';
import { DETAIL, type Detail } from '../../../execution-details/index.js';
import { valueKey } from '../../records/signals.js';
import { UNCERTAIN } from '../../records/notification.js';
import { openCalls } from '../../records/step-state.js';
import type { RunTemplate } from '../../records/workflow-version.js';
import type { BegunCalls } from '../../run/begun-calls.js';
import { tenantOf } from '../../run/run.js';
import type { StepHandler, StepPreview, StepTask } from '../../run/step-handler.js';
import type { DetailText } from '../../run/step-recorder.js';
import type { StepOutcome } from '../../run/transitions.js';
import { StepGate } from '../step-gate.js';
import type { NoteStatus, StepContext, StepResult, StepRunner, StepType } from '../../records/plugin-step.types.js';
import { MessageRendering } from '../message-rendering.js';
import { noteMissingValues, personView, subscriberView, templateVariables } from '../template-variables.js';

const MAX_RETRY_AFTER_MS = 3_600_000;
/** What marks of calls name instead of an integration. */
const OWN = 'plugin';
const INTERRUPTED =
  'Herald was interrupted after it had begun the step and before it recorded the outcome. The step may have been carried out.';
type NoteOptions = NonNullable<Parameters<StepContext<unknown>['note']>[1]>;

const NOTE_STATUSES: readonly NoteStatus[] = ['Success', 'Warning', 'Failed', 'Pending'];

/** What the steps of all plugins share. */
@Injectable()
export class PluginStepTools {
  constructor(
    readonly gate: StepGate,
    readonly rendering: MessageRendering,
    readonly http: OutboundHttp,
    readonly config: AppConfig,
    readonly clock: Clock,
    private readonly modules: ModuleRef,
  ) {}

  runnerOf(type: StepType): StepRunner<unknown> {
    return 'runner' in type ? this.modules.get<StepRunner<unknown>>(type.runner, { strict: false }) : type;
  }
}

/** Makes handlers of what carries out steps by the interface of plugins. */
export class PluginSteps {
  /** Of the types that plugins bring. */
  readonly handlers: ReadonlyMap<string, StepHandler>;

  /** @param calls absent in rehearsals, where nothing may have an effect */
  constructor(
    private readonly tools: PluginStepTools,
    private readonly calls?: BegunCalls,
  ) {
    // What `definePlugin` takes are complete step types; libraries know only the part that they validate.
    const types = STEP_TYPES.entries().map(([, type]) => type as StepType);
    this.handlers = new Map(types.map((type) => [type.type, this.of(type, () => tools.runnerOf(type))]));
  }

  of(declaration: StepTypeDeclaration, runner: () => StepRunner<unknown>): StepHandler {
    return new PluginStep(declaration, runner, this.tools, this.calls);
  }
}

/** What the trail says, unless the type has words of its own. */
const TRAIL = {
  started: DETAIL.pluginStepStarted,
  completed: DETAIL.pluginStepCompleted,
  skipped: DETAIL.pluginStepSkipped,
  waits: DETAIL.pluginStepWaits,
  retried: DETAIL.pluginStepRetried,
  failed: DETAIL.pluginStepFailed,
  notSimulated: DETAIL.pluginStepNotSimulated,
} as const;

/**
 * A step that is carried out by the interface of plugins: conditions, rendered input, then the plugin. It runs in a lane of its
 * own after its run is stored, and a failure is retried as that of a provider.
 */
class PluginStep implements StepHandler {
  constructor(
    private readonly declaration: StepTypeDeclaration,
    private readonly runner: () => StepRunner<unknown>,
    private readonly tools: PluginStepTools,
    private readonly calls: BegunCalls | undefined,
  ) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const { state, recorder } = task;
    // What has begun was let through before.
    const refused = openCalls(state).length === 0 && (await this.tools.gate.refuse(task));
    if (refused) return refused;
    const { template } = await this.tools.gate.chooseTemplate(task);
    recorder.note(this.words('started'), state.attempt > 0 ? { isRetry: true } : {});
    try {
      const input = await this.inputOf(task, template);
      return await this.callPlugin(task, input);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      recorder.note(DETAIL.contentNotGenerated, { raw: { error: error.message } });
      return { kind: 'failed', reason: 'content', error: error.message, progress: { calls: undefined } };
    }
  }

  endInterrupted({ state, recorder }: StepTask): Promise<StepOutcome> {
    const raw = { error: INTERRUPTED, code: 'interrupted', outcome: 'uncertain', attempt: state.attempt + 1 };
    recorder.note(this.words('failed'), { raw });
    const progress = { calls: undefined, mayBeSent: true };
    return Promise.resolve({ kind: 'failed', reason: UNCERTAIN, error: INTERRUPTED, deadLetter: true, progress });
  }

  async preview(task: StepTask, template: RunTemplate): Promise<StepPreview> {
    const input = await this.inputOf(task, template);
    noteMissingValues(task, template);
    return { content: { content: JSON.stringify(input, null, 2) } };
  }

  private async callPlugin(task: StepTask, input: unknown): Promise<StepOutcome> {
    const { run, state, now } = task;
    const runner = this.runner();
    const act = this.calls === undefined ? runner.simulate?.bind(runner) : runner.run.bind(runner);
    if (act === undefined) {
      task.recorder.note(this.words('notSimulated'));
      return { kind: 'completed' };
    }
    await this.calls?.begin(run, { target: '', integrationId: OWN, providerId: OWN, at: now, attempt: state.attempt });
    try {
      const result = await this.withinTime((signal) => act(this.contextOf(task, input, signal)));
      const checked = checkedResult(result);
      const isEndless = this.calls === undefined && task.isResumed && checked.status === 'waiting';
      // What templates see includes the output.
      delete run.variables;
      return this.outcomeOf(task, isEndless ? { status: 'completed' } : checked, this.tools.clock.now());
    } catch (error) {
      if (error instanceof TemplateError) throw error;
      return this.failed(task, error);
    }
  }

  private contextOf(task: StepTask, input: unknown, signal: AbortSignal): StepContext<unknown> {
    const { run, state, now, isResumed, recorder } = task;
    const { workflow, record, event, facts } = run;
    return {
      input,
      idempotencyKey: state._id.toHexString(),
      attempt: state.attempt + 1,
      mayHaveRun: run.wasClaimed || state.attempt > 0,
      isResumed,
      now,
      signal,
      http: this.tools.http,
      caller: tenantOf(event),
      workflow: { id: workflow.id, identifier: workflow.identifier, name: workflow.name },
      notificationId: record._id.toHexString(),
      transactionId: event.transactionId,
      payload: event.payload,
      subscriber: subscriberView(run),
      ...(facts.tenant && { tenant: { ...facts.tenant } }),
      ...(facts.actor && { actor: personView(facts.actor) }),
      depth: event.depth ?? 0,
      ...(run.digestEvents && { digestEvents: run.digestEvents }),
      render: (template) => this.tools.rendering.text(task, template, templateVariables(run)),
      // The labels of plugins are their own; the type lists those of Herald.
      note: (label, more) => recorder.note(label as Detail, { at: this.tools.clock.now(), ...entryOf(more) }),
    };
  }

  /** @throws {TemplateError} also where the rendered input is not what the plugin takes */
  private async inputOf(task: StepTask, template: RunTemplate): Promise<unknown> {
    const input = this.declaration.input === undefined ? template : template['input'];
    const sources = new Set<string>();
    visitTexts(input, [], (text) => void (hasExpression(text) && sources.add(text)));
    const list = [...sources];
    const texts = await this.tools.rendering.texts(
      task,
      list.map((source) => ({ source, as: 'text' as const })),
      templateVariables(task.run),
    );
    const rendered = new Map(list.map((source, place) => [source, texts[place] ?? '']));
    const parsed = inputSchemaOf(this.declaration).safeParse(replaceTexts(input, (text) => rendered.get(text) ?? text));
    if (parsed.success) return parsed.data;
    const at = this.declaration.input === undefined ? [] : ['input'];
    const faults = parsed.error.issues.map(({ path, message }) => `${[...at, ...path].join('.')} ${message}`);
    throw new TemplateError(faults.join('; '));
  }

  private async withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeoutMs = this.tools.config.get('DELIVERY_TIMEOUT_MS');
    const signal = AbortSignal.timeout(timeoutMs);
    const expired = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new StepError(`The step took longer than ${timeoutMs} ms.`)));
    });
    // `work` may throw before it returns a promise; without the race, the end of the time would end the process.
    return Promise.race([Promise.resolve(signal).then(work), expired]);
  }

  private failed({ state, recorder }: StepTask, error: unknown): StepOutcome {
    const now = this.tools.clock.now();
    const { message } = error instanceof Error ? error : new Error('The plugin has thrown no error.');
    const { retryable, reason, retryAfterMs = 0 } = error instanceof StepError ? error : new StepError(message);
    const { config } = this.tools;
    const attempt = state.attempt + 1;
    const raw = { error: message, attempt };
    const failure = { reason, error: message, progress: { attempt, calls: undefined } };
    if (retryable && attempt < config.get('DELIVERY_MAX_ATTEMPTS')) {
      const policy = { baseMs: config.get('DELIVERY_RETRY_BASE_MS'), capMs: config.get('DELIVERY_RETRY_MAX_MS') };
      const waitMs = Math.max(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS), retryDelayMs(attempt, policy));
      recorder.note(this.words('retried'), { at: now, raw });
      return { kind: 'retry', at: new Date(now.getTime() + waitMs), ...failure };
    }
    recorder.note(this.words('failed'), { at: now, raw });
    return { kind: 'failed', ...failure, deadLetter: true };
  }

  private outcomeOf({ run, recorder }: StepTask, result: StepResult, at: Date): StepOutcome {
    switch (result.status) {
      case 'waiting':
        // A wait has not failed: attempts are counted anew after it.
        return this.waitOf(run, recorder, result, at);
      case 'skipped':
        recorder.note(this.words('skipped'), { at, raw: { reason: result.reason } });
        return { kind: 'skipped', reason: result.reason, progress: { calls: undefined } };
      default: {
        const { output } = result;
        recorder.note(this.words('completed'), { at, ...(output && { raw: { output } }) });
        return { kind: 'completed', progress: { output, calls: undefined } };
      }
    }
  }

  /** The run is stored as waiting before it looks: a signal that comes in between wakes it. */
  private waitOf(
    { record }: StepTask['run'],
    recorder: StepTask['recorder'],
    { until, awaits }: Extract<StepResult, { status: 'waiting' }>,
    at: Date,
  ): StepOutcome {
    const progress = { attempt: 1, calls: undefined };
    const awaiting = awaits && [valueKey(awaits.event, awaits.path, awaits.value)];
    const isStored = awaiting === undefined || record.awaiting?.[0] === awaiting[0];
    if (awaiting === undefined || !isStored) recorder.note(this.words('waits'), { at, raw: { until } });
    return { kind: 'wait', until: isStored ? until : at, ...(awaiting && { awaiting }), progress };
  }

  private words(what: keyof typeof TRAIL): DetailText {
    return this.declaration.trail?.[what] ?? TRAIL[what];
  }
}

/** Without the status if a plugin without types gives one that entries do not have. */
function entryOf({ status, raw }: NoteOptions = {}): NoteOptions {
  const isKnown = NOTE_STATUSES.some((known) => known === status);
  return { ...(isKnown && status && { status }), ...(raw && { raw }) };
}

const MAX_OUTPUT_LENGTH = 10_000;
const RESULTS: readonly StepResult['status'][] = ['completed', 'skipped', 'waiting'];

/** @throws {StepError} if a plugin without types returned something else than a result, which would pass for a completed step */
function checkedResult(result: unknown): StepResult {
  if (result === undefined || result === null) return { status: 'completed' };
  const { status, until } = result as { status?: unknown; until?: unknown };
  if (!RESULTS.some((known) => known === status)) {
    const what = typeof status === 'string' ? `the status '${status}'` : 'a value without a status';
    throw new StepError(`The step returned ${what}. The status must be one of ${RESULTS.join(', ')}.`, {
      retryable: false,
    });
  }
  if (status === 'waiting' && !(until instanceof Date && !Number.isNaN(until.getTime()))) {
    throw new StepError('The step returned `waiting` with an `until` that is not a valid Date.', { retryable: false });
  }
  const { output } = result as { output?: unknown };
  if (status !== 'completed' || output === undefined) return result as StepResult;
  return { status, output: plainOutput(output) };
}

/** @throws {StepError} if it is not a small object: it is stored with the run, at every step that follows */
function plainOutput(output: unknown): Readonly<Record<string, unknown>> {
  const text = typeof output === 'object' && !Array.isArray(output) && output !== null ? jsonOf(output) : undefined;
  if (text === undefined) {
    throw new StepError('The output of the step must be an object of plain data.', { retryable: false });
  }
  if (text.length > MAX_OUTPUT_LENGTH) {
    throw new StepError(`The output of the step is longer than ${MAX_OUTPUT_LENGTH} characters as JSON.`, {
      retryable: false,
    });
  }
  return JSON.parse(text) as Record<string, unknown>;
}

/** Undefined for what JSON cannot hold, such as a circle. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
