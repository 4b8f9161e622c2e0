import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { apiOf, AsDeclared, AsSent, FieldList, IsFreeForm, IsValidBy, type WithFields } from '#libs/http-kit';
import { withoutNullish } from '#libs/persistence';
import { TEMPLATE_LANGUAGES, type TemplateLanguage } from '#libs/templates';
import { OUTSIDE_SCHEDULE, type OutsideSchedule, type SendWindow, sendWindow } from '#libs/schedule';
import { readTracking, type Tracking, tracking } from '../../platform/recipient-links/index.js';

const DESCRIPTION_LENGTH = 1000;

export const SEVERITIES = ['none', 'low', 'medium', 'high'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Whether mails of the workflow carry the headers with which mail programs offer to unsubscribe. */
export const UNSUBSCRIBE_MODES = ['one-click', 'off'] as const;
export type UnsubscribeMode = (typeof UNSUBSCRIBE_MODES)[number];

export const MISSING_ADDRESS = ['skip', 'fail'] as const;
export type MissingAddress = (typeof MISSING_ADDRESS)[number];

export const MISSING_VALUES = ['send', 'stop'] as const;
export type MissingValues = (typeof MISSING_VALUES)[number];

interface Declaration {
  /** Of requests. */
  readonly check: PropertyDecorator;
  /** Type and example, in requests and responses. */
  readonly api: ApiPropertyOptions;
  readonly description: string;
  readonly isText?: boolean;
  /** Leaves out what is not stored of a value that was sent. */
  readonly read?: (sent: never) => unknown;
}

const options = new FieldList<Declaration, OptionName>(({ check, api, description }) =>
  applyDecorators(IsOptional(), check, ApiPropertyOptional({ ...api, description, nullable: true })),
);

const oneOf = (values: readonly string[], example: string): Pick<Declaration, 'check' | 'api' | 'isText'> => ({
  check: IsIn(values),
  api: { enum: [...values], example },
  isText: true,
});

/**
 * What a workflow can say besides its steps. Absent unless set; `null` removes a value.
 *
 * The only list of these fields: requests, the stored record, responses, the engine's view, versions and portable files are made
 * of it.
 */
export class WorkflowOptionsDto {
  @options.declared({
    check: applyDecorators(IsString(), MaxLength(DESCRIPTION_LENGTH)),
    api: { type: String, maxLength: DESCRIPTION_LENGTH, example: 'Tells the customer that the parcel is on its way' },
    description: 'Description.',
    isText: true,
  })
  description?: string | null;

  @options.declared({
    ...oneOf(SEVERITIES, 'high'),
    description: 'How urgent the messages are. Inbox clients show and filter it. Default: none.',
  })
  severity?: Severity | null;

  @options.declared({
    check: IsBoolean(),
    api: { type: Boolean, example: true },
    description:
      'Whether recipients see the workflow where they choose what reaches them: `true` hides it. What a subscriber has chosen ' +
      'before, or what you store for one, holds all the same. Default: false.',
  })
  hidden?: boolean | null;

  @options.declared({
    ...oneOf(UNSUBSCRIBE_MODES, 'one-click'),
    description:
      '`one-click`, the default: mails have the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, with which mail programs ' +
      'offer to unsubscribe from the workflow. Needs the setting PUBLIC_URL. `off`: they have none. Mails of critical workflows ' +
      'never have them.',
  })
  unsubscribe?: UnsubscribeMode | null;

  @options.declared({
    check: applyDecorators(AsSent(), IsValidBy('isTracking', tracking)),
    api: apiOf(tracking),
    description:
      "Whether opens and clicks of the workflow's mails are followed. What is absent is decided by the integration; in critical " +
      'workflows, it is off.',
    read: readTracking,
  })
  tracking?: Tracking | null;

  @options.declared({
    ...oneOf(OUTSIDE_SCHEDULE, 'wait'),
    description:
      "What channel steps do outside of the subscriber's schedule: `skip`, or `wait` until it opens. In-app messages pass, and so " +
      'does everything of critical workflows. Steps can say otherwise in `metadata`. Default: skip.',
  })
  outsideSchedule?: OutsideSchedule | null;

  @options.declared({
    check: applyDecorators(AsDeclared(sendWindow), IsValidBy('isSendWindow', sendWindow)),
    api: apiOf(sendWindow),
    description:
      'When channel steps other than in-app ones may send; until then, they wait. Steps can say otherwise in `metadata`.',
  })
  sendWindow?: SendWindow | null;

  @options.declared({
    ...oneOf(MISSING_ADDRESS, 'fail'),
    description:
      'What becomes of a step whose subscriber has no address for its channel: `skip` continues with the next step, `fail` makes ' +
      'the notification failed, so that it can be replayed when the subscriber has an address. Default: skip.',
  })
  missingAddress?: MissingAddress | null;

  @options.declared({
    ...oneOf(MISSING_VALUES, 'stop'),
    description:
      'What becomes of a message whose template shows values that the event does not have: `send` leaves them empty and adds a ' +
      'warning to the trail, `stop` does not send it, and the trail names the values. Default: send.',
  })
  missingValues?: MissingValues | null;

  @options.declared({
    ...oneOf(TEMPLATE_LANGUAGES, 'liquid'),
    description:
      'Language of all templates of the workflow: `handlebars`, the default, or `liquid`. To change it, send the steps as well, ' +
      'written in the new language. Layouts are Handlebars in any case.',
  })
  templateLanguage?: TemplateLanguage | null;

  @options.declared({
    check: IsFreeForm(),
    api: { type: 'object', additionalProperties: true, example: { team: 'shop' } },
    description: 'Free-form data.',
  })
  data?: Record<string, unknown> | null;
}

export type OptionName = keyof WorkflowOptionsDto;
/** As they are stored and shown. */
export type WorkflowOptions = { [Name in OptionName]?: NonNullable<WorkflowOptionsDto[Name]> };
export type WithOptions<Base extends abstract new () => object> = WithFields<Base, WorkflowOptions>;

export const HasOptions = options.shared.bind(options);
export const OPTION_NAMES: readonly OptionName[] = options.fields.map(({ name }) => name);

/** As they would be stored: null for those to remove; without those that are not given. */
export function sentOptions(sent: WorkflowOptionsDto): WorkflowOptionsDto {
  const given = options.fields.flatMap(({ name, read }) => {
    const value = sent[name];
    if (value === undefined) return [];
    return [[name, value === null || read === undefined ? value : read(value as never)]];
  });
  return Object.fromEntries(given) as WorkflowOptionsDto;
}

/** Those that a record has. */
export function optionsOf(row: WorkflowOptions): WorkflowOptions {
  return withoutNullish(Object.fromEntries(OPTION_NAMES.map((name) => [name, row[name]])));
}
