import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { OutboundHttp } from '#libs/channels';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { STEP_TYPES, StepError } from '#libs/plugins';
import { retryDelayMs } from '#libs/schedule';
import { Rendering, replaceTexts, TemplateError, visitTexts } from '#libs/templates';
import { DETAIL, type Detail, type NewDetail } from '../../execution-details/index.js';
import type { StepType as BuiltInType } from '../records/notification.js';
import type { RunTemplate } from '../records/workflow-version.js';
import { environmentOf, type Run, tenantOf } from '../run/run.js';
import type { StepHandler, StepPreview, StepTask } from '../run/step-handler.js';
import { detailOf, reportOf, StepInterrupted, combine, type StepReport } from '../run/step-report.js';
import { StepGate } from './step-gate.js';
import type { NoteStatus, StepContext, StepResult, StepRunner, StepType } from '../records/plugin-step.types.js';
import { checkedResult } from './plugin-step-result.js';
import { missingValueDetails, subscriberView, templateVariables } from './template-variables.js';

const MAX_RETRY_AFTER_MS = 3_600_000;
type NoteOptions = NonNullable<Parameters<StepContext<unknown>['note']>[1]>;

const NOTE_STATUSES: readonly NoteStatus[] = ['Success', 'Warning', 'Failed', 'Pending'];

/** What the steps of all plugins share. */
@Injectable()
export class PluginStepTools {
  constructor(
    readonly gate: StepGate,
    readonly rendering: Rendering,
    readonly http: OutboundHttp,
    readonly config: AppConfig,
    readonly clock: Clock,
    private readonly modules: ModuleRef,
  ) {}

  runnerOf(type: StepType): StepRunner<unknown> {
    return 'runner' in type ? this.modules.get<StepRunner<unknown>>(type.runner, { strict: false }) : type;
  }
}

/** The handlers of all step types that plugins bring. @param isRehearsal nothing may have an effect */
export function pluginSteps(tools: PluginStepTools, isRehearsal: boolean): StepHandler[] {
  // What `definePlugin` takes are complete step types; libraries know only the part that they validate.
  return STEP_TYPES.entries().map(([, type]) => new PluginStep(type as StepType, tools, isRehearsal));
}

/**
 * The step of a type that a plugin brings: conditions, rendered input, then the plugin. It runs in a lane of its own after
 * its run is stored, and a failure is retried as that of a provider.
 */
class PluginStep implements StepHandler {
  readonly type: BuiltInType;

  constructor(
    private readonly definition: StepType,
    private readonly tools: PluginStepTools,
    private readonly isRehearsal: boolean,
  ) {
    this.type = definition.type as BuiltInType;
  }

  async run(task: StepTask): Promise<StepReport> {
    const refused = await this.tools.gate.refuse(task);
    if (refused) return refused;
    const { state, now } = task;
    const { template, details } = await this.tools.gate.chooseTemplate(task);
    const done = [
      ...details,
      detailOf(state, DETAIL.pluginStepStarted, now, state.attempt > 0 ? { isRetry: true } : {}),
    ];
    try {
      const input = await this.inputOf(task.run, template);
      return await this.carryOut(task, input, done);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw new StepInterrupted(error, combine({ details: done }));
      done.push(detailOf(state, DETAIL.contentNotGenerated, now, { raw: { error: error.message } }));
      return reportOf({ kind: 'failed', reason: 'content', error: error.message }, done);
    }
  }

  async preview(task: StepTask, template: RunTemplate): Promise<StepPreview> {
    const input = await this.inputOf(task.run, template);
    return { content: { content: JSON.stringify(input, null, 2) }, details: missingValueDetails(task, template) };
  }

  private async carryOut(task: StepTask, input: unknown, done: NewDetail[]): Promise<StepReport> {
    const runner = this.tools.runnerOf(this.definition);
    const act = this.isRehearsal ? runner.simulate?.bind(runner) : runner.run.bind(runner);
    if (act === undefined) {
      done.push(detailOf(task.state, DETAIL.pluginStepNotSimulated, task.now));
      return reportOf({ kind: 'completed' }, done);
    }
    try {
      const result = await this.withinTime((signal) => act(this.contextOf(task, input, signal, done)));
      const checked = checkedResult(result);
      const isEndless = this.isRehearsal && task.isResumed && checked.status === 'waiting';
      // What templates see includes the output.
      delete task.run.variables;
      return ended(task, isEndless ? { status: 'completed' } : checked, done, this.tools.clock.now());
    } catch (error) {
      if (error instanceof TemplateError) throw error;
      return this.failed(task, error, done);
    }
  }

  private contextOf(task: StepTask, input: unknown, signal: AbortSignal, done: NewDetail[]): StepContext<unknown> {
    const { run, state, now, isResumed } = task;
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
      ...(run.digestEvents && { digestEvents: run.digestEvents }),
      render: (template) => this.tools.rendering.text(template, templateVariables(run), environmentOf(run), false),
      // The labels of plugins are their own; the type lists those of Herald.
      note: (label, more) => void done.push(detailOf(state, label as Detail, this.tools.clock.now(), entryOf(more))),
    };
  }

  /** @throws {TemplateError} also where the rendered input is not what the plugin takes */
  private async inputOf(run: Run, { input }: RunTemplate): Promise<unknown> {
    const sources = new Set<string>();
    visitTexts(input, [], (text) => void (text.includes('{{') && sources.add(text)));
    const list = [...sources];
    const texts = await this.tools.rendering.texts(
      list.map((source) => ({ source, escape: false })),
      templateVariables(run),
      environmentOf(run),
    );
    const rendered = new Map(list.map((source, place) => [source, texts[place] ?? '']));
    const parsed = this.definition.input.safeParse(replaceTexts(input, (text) => rendered.get(text) ?? text));
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.map(({ path, message }) => `${['input', ...path].join('.')} ${message}`);
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

  private failed({ state }: StepTask, error: unknown, done: NewDetail[]): StepReport {
    const now = this.tools.clock.now();
    const { message } = error instanceof Error ? error : new Error('The plugin has thrown no error.');
    const { retryable, retryAfterMs = 0 } = error instanceof StepError ? error : new StepError(message);
    const { config } = this.tools;
    const attempt = state.attempt + 1;
    const raw = { error: message, attempt };
    if (retryable && attempt < config.get('DELIVERY_MAX_ATTEMPTS')) {
      const policy = { baseMs: config.get('DELIVERY_RETRY_BASE_MS'), capMs: config.get('DELIVERY_RETRY_MAX_MS') };
      const waitMs = Math.max(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS), retryDelayMs(attempt, policy));
      done.push(detailOf(state, DETAIL.pluginStepRetried, now, { raw }));
      const at = new Date(now.getTime() + waitMs);
      return reportOf({ kind: 'retry', at, reason: 'plugin_failed', error: message }, done, { attempt });
    }
    done.push(detailOf(state, DETAIL.pluginStepFailed, now, { raw }));
    const outcome = { kind: 'failed', reason: 'plugin_failed', error: message, deadLetter: true } as const;
    return reportOf(outcome, done, { attempt });
  }
}

/** Without the status if a plugin without types gives one that entries do not have. */
function entryOf({ status, raw }: NoteOptions = {}): NoteOptions {
  const isKnown = NOTE_STATUSES.some((known) => known === status);
  return { ...(isKnown && status && { status }), ...(raw && { raw }) };
}

function ended({ state }: StepTask, result: StepResult, done: NewDetail[], now: Date): StepReport {
  switch (result.status) {
    case 'waiting':
      done.push(detailOf(state, DETAIL.pluginStepWaits, now, { raw: { until: result.until } }));
      // A wait has not failed: attempts are counted anew after it.
      return reportOf({ kind: 'wait', until: result.until }, done, { attempt: 1 });
    case 'skipped':
      done.push(detailOf(state, DETAIL.pluginStepSkipped, now, { raw: { reason: result.reason } }));
      return reportOf({ kind: 'skipped', reason: result.reason }, done);
    default: {
      const { output } = result;
      done.push(detailOf(state, DETAIL.pluginStepCompleted, now, output && { raw: { output } }));
      return reportOf({ kind: 'completed' }, done, { output });
    }
  }
}
