import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { apiOf, shown } from '#libs/http-kit';
import { MAIL_WARNINGS, type MailWarning, stepActor, stepCta } from '#libs/templates';
import { type PreviewedStep, STEP_TYPES, type StepType, type TemplateFault } from '../delivery/index.js';

/** What is wrong with a template, for its author. */
export class TemplateFaultResponse {
  /**
   * The text of the template; absent if the fault is not in one of them.
   * @example content.0.url
   */
  path?: string;
  /** What is wrong. @example a block or an expression is left open at the end (line 3) */
  message: string;
  /** Line in that text, from 1. @example 3 */
  line?: number;
  /** Column in that line, from 1. @example 12 */
  column?: number;
}

/** What is likely to be wrong with a mail that can be sent. */
export class MailWarningResponse {
  /** Kind of the warning. */
  @ApiProperty({ enum: MAIL_WARNINGS, example: 'link_without_target' })
  code: MailWarning['code'];
  /** What is wrong. @example The button "Open" leads nowhere. */
  message: string;
}

/** What steps after a digest see of it as `step`. */
export class DigestPreviewResponse {
  /** Number of events. @example 2 */
  total_count: number;
  /** Payloads of the events, oldest first. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  events: Record<string, unknown>[];
}

/** A step as it would be sent. */
export class StepPreviewResponse {
  /** Id of the step. */
  stepId: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES, example: 'email' })
  type: StepType;
  /** Subject. @example Your order 4711 */
  subject?: string;
  /** Preview text that mail clients show next to the subject. */
  preheader?: string;
  /** Name of the sender. @example Shop */
  senderName?: string;
  /** Title. @example On its way */
  title?: string;
  /**
   * HTML for emails, with the layout, and for in-app messages; plain text for the other channels. Absent if there are
   * faults, and for steps that send nothing.
   * @example <p>Hello Ada</p>
   */
  content?: string;
  /** The plain text of an email. */
  text?: string;
  /** Call to action of an in-app message. */
  @ApiPropertyOptional(apiOf(stepCta))
  cta?: object;
  /** Picture of an in-app message. */
  @ApiPropertyOptional(apiOf(stepActor))
  actor?: object;
  /** When a delay or digest that began now would end. */
  until?: Date;
  /** What the digest in front of the step, or the step itself, holds in this preview. */
  digest?: DigestPreviewResponse;
  /** Names of values that the templates show and the data lacks. @example ["order.total"] */
  missing: string[];
  /** Keys of `t` without a translation in the locale; the message has the words of the default locale, or the key. */
  missingTranslations: string[];
  /** Links that could run code, by their paths in the template; the message has none in their place. */
  removedLinks: string[];
  /** Why the step cannot be rendered. */
  @ApiProperty({ type: [TemplateFaultResponse] })
  faults: TemplateFaultResponse[];
  /** Of emails: images without alternative text, links that lead nowhere, texts that are hard to read on what is behind them, and a size that mail programs cut. They are sent all the same. */
  @ApiProperty({ type: [MailWarningResponse] })
  warnings: MailWarningResponse[];
}

export function showStepPreview(
  { step, content, until, missing, missingTranslations, removedLinks, faults, warnings }: PreviewedStep,
  digestEvents: readonly Record<string, unknown>[] | undefined,
): StepPreviewResponse {
  return shown(StepPreviewResponse, {
    stepId: step._id.toHexString(),
    type: step.type,
    ...content,
    until,
    ...(digestEvents && {
      digest: shown(DigestPreviewResponse, { total_count: digestEvents.length, events: [...digestEvents] }),
    }),
    missing: [...missing],
    missingTranslations: [...missingTranslations],
    removedLinks: [...removedLinks],
    faults: faults.map(showFault),
    warnings: warnings.map(({ code, message }) => shown(MailWarningResponse, { code, message })),
  });
}

export function showFault({ path, message, line, column }: TemplateFault): TemplateFaultResponse {
  return shown(TemplateFaultResponse, {
    message,
    path,
    line,
    column,
  });
}

/** A test that was accepted. */
export class TestSendResponse {
  /** Transaction id of the test. */
  transactionId: string;
  /** Record id of the notification; GET /v1/notifications/{notificationId} shows what became of it. */
  notificationId: string;
}

export function showTestSend(transactionId: string, notificationId: string): TestSendResponse {
  return shown(TestSendResponse, { transactionId, notificationId });
}
