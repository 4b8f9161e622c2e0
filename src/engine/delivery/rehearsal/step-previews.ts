import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { InvalidDelayError } from '#libs/schedule';
import {
  isSmall,
  lintMail,
  type MailWarning,
  parseTemplate,
  Rendering,
  RenderingBusy,
  TemplateError,
  type TemplateLanguage,
  withInner,
} from '#libs/templates';
import { DETAIL, type NewDetail } from '../../execution-details/index.js';
import type { ResolvedSubscriber } from '../../../audience/subscribers/index.js';
import type { ResolvedWorkflow } from '../../../content/workflows/index.js';
import type { NewEvent, RunTenant } from '../records/trigger-event.js';
import { type RunStep, type RunTemplate, toRunWorkflow } from '../records/workflow-version.js';
import { EventFactsReader, RunLoader } from '../run/run-loader.js';
import { environmentOf, type Run } from '../run/run.js';
import { RehearsalHandlers, type StepContent, type StepPreview, type StepTask } from '../run/step-handler.js';
import { StepRecorder } from '../run/step-recorder.js';
import { StepFailure } from '../steps/provider-channel.js';
import { partsOf, templateVariables } from '../steps/template-variables.js';
import { acceptedNow } from './event-rehearsals.js';
import { RenderingIsBusy } from './rehearsal.errors.js';

export interface StepToPreview {
  readonly event: NewEvent;
  readonly workflow: ResolvedWorkflow;
  /** Record id. Inactive steps can be previewed as well. */
  readonly stepId: string;
  readonly variantId?: string;
  /** Replaces parts of the stored content. */
  readonly draft?: Partial<RunTemplate>;
  readonly subscriber: ResolvedSubscriber;
  readonly actor?: ResolvedSubscriber;
  readonly tenant?: RunTenant;
  /** What a digest in front of the step has collected. */
  readonly digestEvents?: readonly Record<string, unknown>[];
}

export interface TemplateFault {
  /** The text of the template; absent if the fault is not in one of them. */
  readonly path?: string;
  readonly message: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export interface PreviewedStep {
  readonly step: RunStep;
  /** Absent if there are faults, and for steps that send nothing. */
  readonly content?: StepContent;
  readonly until?: Date;
  /** Values that the templates show and the data lacks. */
  readonly missing: readonly string[];
  /** Keys that the reader's locale lacks. */
  readonly missingTranslations: readonly string[];
  /** Links that could run code, by their paths in the template; the message has none in their place. */
  readonly removedLinks: readonly string[];
  readonly faults: readonly TemplateFault[];
  /** Of a mail that can be rendered. */
  readonly warnings: readonly MailWarning[];
}

function syntaxFaults(parts: ReturnType<typeof partsOf>, language: TemplateLanguage | undefined): TemplateFault[] {
  return parts.flatMap(({ path, source }) => {
    const result = parseTemplate(source, language);
    if (result.ok) return [];
    const { message, line, column } = result;
    return [{ path, message, ...(line !== undefined && { line }), ...(column !== undefined && { column }) }];
  });
}

/** Renders single steps as a delivery does, whatever decides about them. Nothing is stored or sent. */
@Injectable()
export class StepPreviews {
  constructor(
    private readonly facts: EventFactsReader,
    private readonly loader: RunLoader,
    private readonly handlers: RehearsalHandlers,
    private readonly rendering: Rendering,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined if the workflow has no such step or variant @throws {RenderingIsBusy} */
  async preview(asked: StepToPreview): Promise<PreviewedStep | undefined> {
    const task = await this.taskOf(asked);
    const template = task && templateOf(task.step, asked);
    if (task === undefined || template === undefined) return undefined;
    const shared = {
      step: task.step,
      missing: [],
      missingTranslations: [],
      removedLinks: [],
      faults: [],
      warnings: [],
    };
    // They could not be stored, and are slow to render.
    const language = asked.workflow.templateLanguage;
    const tooLarge = partsOf(template).filter(({ source }) => !isSmall(source, language));
    if (tooLarge.length > 0) return { ...shared, faults: syntaxFaults(tooLarge, language) };
    try {
      const previewed = await this.handlers.get(task.step.type)?.preview(task, template);
      if (previewed === undefined) return { ...shared, faults: [{ message: NOT_RUN }] };
      return {
        ...shared,
        ...previewed,
        ...warningsOf(task.recorder.details),
        warnings: mailWarnings(template, previewed),
      };
    } catch (error) {
      if (error instanceof RenderingBusy) throw new RenderingIsBusy();
      const isExpected =
        error instanceof TemplateError || error instanceof StepFailure || error instanceof InvalidDelayError;
      if (!isExpected) throw error;
      const faults = await this.faultsOf(template, error, task.run);
      return { ...shared, ...warningsOf(task.recorder.details), faults };
    }
  }

  private async taskOf(asked: StepToPreview): Promise<StepTask | undefined> {
    const { workflow, stepId, subscriber, actor, tenant, digestEvents } = asked;
    const now = this.clock.now();
    const event = acceptedNow(asked.event, now);
    // Deliveries leave inactive steps out.
    const steps = workflow.steps.flatMap((step) => (step.id === stepId ? [{ ...step, active: true }] : []));
    const stored = await this.facts.readFor(event, toRunWorkflow({ ...workflow, steps }));
    const facts = { ...stored, ...(actor && { actor }), ...(tenant && { tenant }) };
    const [run] = await this.loader.plan([{ facts, recipients: [subscriber], preferences: new Map() }], '', now);
    const [step] = facts.workflow.steps;
    const [state] = run?.record.steps ?? [];
    if (run === undefined || step === undefined || state === undefined) return undefined;
    if (digestEvents !== undefined) run.digestEvents = digestEvents;
    return { run, step, state, now, isResumed: false, isPreview: true, recorder: new StepRecorder(state, now) };
  }

  /** Faults of syntax have a place in a text; of other faults, the text is known that cannot be rendered alone. */
  private async faultsOf(template: RunTemplate, error: Error, run: Run): Promise<TemplateFault[]> {
    if (!(error instanceof TemplateError)) return [{ message: error.message }];
    const parts = partsOf(template);
    const unreadable = syntaxFaults(parts, run.workflow.templateLanguage);
    if (unreadable.length > 0) return unreadable;
    for (const { path, source } of parts) {
      const fault = await this.renderingFault(source, run);
      if (fault !== undefined) return [{ path, message: fault }];
    }
    // Its expressions can be rendered, but not what is around them.
    if (template.contentType === 'mjml') return [{ path: 'content', message: error.message }];
    return [{ message: error.message }];
  }

  private async renderingFault(source: string, run: Run): Promise<string | undefined> {
    try {
      await this.rendering.text(source, templateVariables(run), environmentOf(run), run.workflow.templateLanguage);
      return undefined;
    } catch (error) {
      if (error instanceof RenderingBusy) throw new RenderingIsBusy();
      if (!(error instanceof TemplateError)) throw error;
      return error.message;
    }
  }
}

const NOT_RUN = 'Steps of this type are not run here. Remove the step from the workflow.';

function templateOf(step: RunStep, { variantId, draft }: StepToPreview): RunTemplate | undefined {
  const stored = variantId === undefined ? step.template : step.variants.find(({ id }) => id === variantId)?.template;
  return stored && { ...stored, ...draft };
}

/** Of steps whose content has a plain text beside it. */
function mailWarnings({ content: written }: RunTemplate, { content }: StepPreview): MailWarning[] {
  if (content?.text === undefined) return [];
  const blocks = Array.isArray(written) ? written.flatMap(withInner) : [];
  const unlinked = blocks.filter(({ type, url }) => type === 'button' && (url ?? '').trim() === '');
  return [
    ...unlinked.map(({ content: words }): MailWarning => ({
      code: 'link_without_target',
      message: `The button "${words}" leads nowhere.`,
    })),
    ...lintMail(content.content),
  ];
}

function warningsOf(
  details: readonly NewDetail[],
): Pick<PreviewedStep, 'missing' | 'missingTranslations' | 'removedLinks'> {
  const namesIn = (detail: string, key: string): string[] =>
    details.flatMap((one) => (one.detail === detail ? ((one.raw as Record<string, string[]>)[key] ?? []) : []));
  return {
    missing: namesIn(DETAIL.missingValues, 'missing'),
    missingTranslations: namesIn(DETAIL.missingTranslations, 'missing'),
    removedLinks: namesIn(DETAIL.linkRemoved, 'removed'),
  };
}
