import { Injectable } from '@nestjs/common';
import { retryDelayMs } from '#libs/schedule';
import { TemplateError } from '#libs/templates';
import { DETAIL } from '../../../execution-details/index.js';
import { openCalls } from '../../records/step-state.js';
import { UNCERTAIN } from '../../records/notification.js';
import type { RunTemplate } from '../../records/workflow-version.js';
import type { StepHandler, StepPreview, StepTask } from '../../run/step-handler.js';
import type { StepOutcome } from '../../run/transitions.js';
import { type FailedAnswer, type GoodAnswer, isFailed, judgeAnswer, judgeFault } from './http-answer.js';
import { HttpCaller } from './http-caller.js';
import { type ComposedRequest, HttpRequests } from './http-request.js';
import { PluginStepTools } from '../plugin/plugin.step.js';
import { StepFailure } from '../provider-channel.js';
import { Step } from '../../run/step.decorator.js';
import type { RequestTemplate } from './http-request.schema.js';
import { httpRequest } from './http-request.declaration.js';

const REASON = 'http_request';
const MAX_RETRY_AFTER_MS = 3_600_000;
const INTERRUPTED =
  'Herald was interrupted after it had begun the request and before it recorded the answer. The server may have carried it out.';

/** Asks a server, and hands its answer on to later steps. */
@Step(httpRequest)
@Injectable()
export class HttpRequestStep implements StepHandler {
  constructor(
    private readonly tools: PluginStepTools,
    private readonly requests: HttpRequests,
    private readonly caller: HttpCaller,
  ) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const isInterrupted = openCalls(task.state).length > 0;
    // What has begun was let through before.
    const refused = !isInterrupted && (await this.tools.gate.refuse(task));
    if (refused) return refused;
    const template = (await this.tools.gate.chooseTemplate(task)).template as RequestTemplate;
    // Whoever reads asks again; whatever else was begun may have been carried out.
    if (isInterrupted && template.method !== 'GET') return interrupted(task, template);
    try {
      const request = await this.requests.compose(task, template);
      return await this.ask(task, template, request);
    } catch (error) {
      const failure = unsendable(error);
      task.recorder.note(failure.detail, { raw: { error: failure.message } });
      return { ...failedBy(failure.message, template), progress: { calls: undefined } };
    }
  }

  endInterrupted(task: StepTask): Promise<StepOutcome> {
    return Promise.resolve(interrupted(task, task.step.template as RequestTemplate));
  }

  async preview(task: StepTask, template: RunTemplate): Promise<StepPreview> {
    const { shown } = await this.requests.compose(task, template as RequestTemplate);
    return { content: { content: JSON.stringify(shown, null, 2) } };
  }

  private async ask(task: StepTask, template: RequestTemplate, request: ComposedRequest): Promise<StepOutcome> {
    const { recorder, state, now } = task;
    const about = { method: request.shown.method, url: request.shown.url, attempt: state.attempt + 1 };
    const begun = performance.now();
    let answer: GoodAnswer | FailedAnswer;
    try {
      const response = await this.caller.call(task, request, template.sampleResponse);
      if (response === 'closing') return { kind: 'busy', at: now, hasBegun: false };
      if (response === 'unsent') {
        recorder.note(httpRequest.trail.notSent, { raw: { request: request.shown } });
        return { kind: 'completed' };
      }
      answer = await this.checked(task, template, judgeAnswer(response, request, now));
    } catch (error) {
      answer = judgeFault(error, request);
    }
    const raw = { ...about, ms: Math.round(performance.now() - begun) };
    if (isFailed(answer)) return this.afterFailure(task, template, answer, raw);
    const { status, output, isText } = answer;
    recorder.note(httpRequest.trail.answered, { at: this.tools.clock.now(), raw: { ...raw, status, output } });
    if (isText === true) recorder.note(httpRequest.trail.notJson, { raw: { status } });
    // What templates see includes the output.
    delete task.run.variables;
    return { kind: 'completed', progress: { attempt: about.attempt, output, calls: undefined } };
  }

  /** Compares an answer with the schema of the step, in a thread: schemas may have expressions of any kind. */
  private async checked(
    task: StepTask,
    { responseBodySchema: schema, enforceSchemaValidation }: RequestTemplate,
    answer: GoodAnswer | FailedAnswer,
  ): Promise<GoodAnswer | FailedAnswer> {
    if (!schema || isFailed(answer)) return answer;
    const fault = answer.isText
      ? 'it is not JSON'
      : await this.tools.rendering.schemaFault(task, schema, answer.value).catch(faultOfSchema);
    if (fault === undefined) return answer;
    const error = `The answer does not fit responseBodySchema: ${fault}.`;
    if (enforceSchemaValidation === true) {
      return { error, isRetryable: false, mayBeDone: true, status: answer.status };
    }
    task.recorder.note(httpRequest.trail.unfit, { raw: { error } });
    return answer;
  }

  private afterFailure(
    task: StepTask,
    template: RequestTemplate,
    failure: FailedAnswer,
    about: Readonly<Record<string, unknown>>,
  ): StepOutcome {
    const { state, recorder } = task;
    const { config, clock } = this.tools;
    const now = clock.now();
    const attempt = state.attempt + 1;
    const { error, status, answer, isRetryable, mayBeDone, retryAfterMs = 0 } = failure;
    const raw = { ...about, error, ...(status !== undefined && { status }), ...(answer !== undefined && { answer }) };
    const progress = { attempt, calls: undefined };
    if (isRetryable && attempt < (template.maxAttempts ?? config.get('DELIVERY_MAX_ATTEMPTS'))) {
      const policy = { baseMs: config.get('DELIVERY_RETRY_BASE_MS'), capMs: config.get('DELIVERY_RETRY_MAX_MS') };
      const waitMs = Math.max(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS), retryDelayMs(attempt, policy));
      recorder.note(httpRequest.trail.retried, { at: now, raw });
      return { kind: 'retry', at: new Date(now.getTime() + waitMs), reason: REASON, error, progress };
    }
    recorder.note(httpRequest.trail.failed, { at: now, raw });
    if (!mayBeDone) return { ...failedBy(error, template), progress };
    const reason = status === undefined ? UNCERTAIN : REASON;
    return { ...failedBy(error, template), reason, progress: { ...progress, mayBeSent: true } };
  }
}

function failedBy(error: string, { continueOnFailure }: RequestTemplate) {
  return { kind: 'failed', reason: REASON, error, deadLetter: true, stopsRun: continueOnFailure !== true } as const;
}

function interrupted({ state, recorder }: StepTask, template: RequestTemplate): StepOutcome {
  const raw = { error: INTERRUPTED, code: 'interrupted', outcome: 'uncertain', attempt: state.attempt + 1 };
  recorder.note(DETAIL.mayBeAccepted, { raw });
  const progress = { calls: undefined, mayBeSent: true };
  return { ...failedBy(INTERRUPTED, template), reason: UNCERTAIN, progress };
}

/** @throws whatever is no fault of the step */
function unsendable(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error;
  if (error instanceof TemplateError) return new StepFailure(DETAIL.contentNotGenerated, 'content', error.message);
  throw error;
}

/** @throws whatever is no fault of the schema */
function faultOfSchema(error: unknown): string {
  if (error instanceof TemplateError) return error.message;
  throw error;
}
