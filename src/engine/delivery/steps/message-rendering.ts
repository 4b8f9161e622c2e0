import { Injectable } from '@nestjs/common';
import {
  callsT,
  type EmailInput,
  type EmailLayout,
  type RenderedEmail,
  Rendering,
  type TextSource,
  type Wording,
} from '#libs/templates';
import { canonicalZone } from '#libs/validation';
import { DETAIL } from '../../execution-details/index.js';
import { Dictionaries, TranslationsMissed } from '../../../content/translations/index.js';
import type { RunTemplate } from '../records/workflow-version.js';
import { environmentOf, type Run, tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import { isFirstTry, messageVariables, partsOf } from './template-variables.js';

/** All runs of a version share its templates. */
const translating = new WeakMap<RunTemplate, boolean>();

/** Renders messages with the words of their reader. Templates without `t` cost nothing more than their rendering. */
@Injectable()
export class MessageRendering {
  constructor(
    private readonly rendering: Rendering,
    private readonly dictionaries: Dictionaries,
  ) {}

  /** @throws {TemplateError} @throws {RenderingBusy} */
  async texts(
    task: StepTask,
    sources: readonly TextSource[],
    context: Readonly<Record<string, unknown>>,
  ): Promise<string[]> {
    const { run } = task;
    const wording = sources.some(({ source }) => callsT(source)) ? await this.wordingOf(run) : undefined;
    const language = run.workflow.templateLanguage;
    const texts = await this.rendering.texts(sources, context, environmentOf(run), { wording, language });
    noteMissing(task, wording);
    return texts;
  }

  /** @throws {TemplateError} @throws {RenderingBusy} */
  async email(
    task: StepTask,
    template: RunTemplate,
    input: Omit<EmailInput, 'context' | 'wording' | 'language'>,
    layout: EmailLayout | undefined,
  ): Promise<RenderedEmail> {
    const { run } = task;
    const isTranslated = translates(template) || (layout !== undefined && callsT(layout.content));
    const wording = isTranslated ? await this.wordingOf(run) : undefined;
    const context = messageVariables(task, template, layout);
    const language = run.workflow.templateLanguage;
    const email = await this.rendering.email(
      {
        ...input,
        ...(layout && { layout }),
        context,
        ...(wording && { wording }),
        ...(language && { language }),
      },
      environmentOf(run),
    );
    noteMissing(task, wording);
    return email;
  }

  /** Plain text. @throws {TemplateError} @throws {RenderingBusy} */
  async text(task: StepTask, source: string, context: Readonly<Record<string, unknown>>): Promise<string> {
    const [text = ''] = await this.texts(task, [{ source, as: 'text' }], context);
    return text;
  }

  /** As {@link Rendering.schemaFault}. */
  schemaFault(
    { run }: StepTask,
    schema: Readonly<Record<string, unknown>>,
    value: unknown,
  ): Promise<string | undefined> {
    return this.rendering.schemaFault(schema, value, environmentOf(run));
  }

  /** Of the subscriber's locale, else of the tenant's, else of the environment's default, as they are now. */
  private async wordingOf({ event, facts: { subscriber, tenant } }: Run): Promise<Wording> {
    const dictionary = await this.dictionaries.of(tenantOf(event), [subscriber.locale, tenant?.data?.['locale']]);
    const timeZone = canonicalZone(subscriber.timezone ?? '') ?? 'UTC';
    return { dictionary, timeZone, missing: new Set() };
  }
}

function translates(template: RunTemplate): boolean {
  const known = translating.get(template) ?? partsOf(template).some(({ source }) => callsT(source));
  translating.set(template, known);
  return known;
}

/** Messages are sent all the same, in the words of the default locale, or with the key. */
function noteMissing(task: StepTask, wording: Wording | undefined): void {
  if (wording === undefined || wording.missing.size === 0 || !isFirstTry(task)) return;
  const { recorder, run } = task;
  const { locale } = wording.dictionary;
  const missing = [...wording.missing];
  recorder.note(DETAIL.missingTranslations, { raw: { locale, missing } });
  recorder.add({ events: [new TranslationsMissed(tenantOf(run.event), locale, missing)] });
}
