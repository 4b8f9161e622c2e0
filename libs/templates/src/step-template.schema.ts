import { z } from 'zod';
import {
  dependent,
  described,
  documentAs,
  isForbiddenSegment,
  isObject,
  list,
  named,
  object,
  oneOf,
  open,
  openApiOf,
  type RawObject,
  type Report,
  reportFaults,
  rule,
  shownAs,
  text,
} from '#libs/validation';
import { STEP_TYPES } from '#libs/plugins';
import { checkHttpRequest, httpRequestMembers, template } from './http-request.schema.js';
import { checkStepInput } from './plugin-step-input.js';
import { linkFault, renderedFields } from './rendered-fields.js';
import { documentedStepInput } from './step-input-document.js';
import { MAX_SOURCE_BYTES } from './syntax.js';
import {
  ACTOR_TYPES,
  BLOCK_TYPES,
  BUTTON_TYPES,
  CONTENT_TYPES,
  CTA_TYPES,
  SYSTEM_ICONS,
  TEMPLATE_TYPES,
  TEXT_ALIGNS,
  VARIABLE_TYPES,
} from './template.types.js';

/** Without two types of the compatible system that are accepted but not run. */
const RUN_TYPES = TEMPLATE_TYPES.filter((type) => type !== 'custom' && type !== 'trigger');

const MAX_LINE_LENGTH = 2000;
const MAX_URL_LENGTH = 5000;
const MAX_NAME_LENGTH = 255;
const MAX_BLOCKS = 200;
const MAX_BUTTONS = 10;
const MAX_VARIABLES = 500;
const OBJECT_ID = /^[0-9a-fA-F]{24}$/;
const WRONG_NAME = `must be a dotted path of at most ${MAX_NAME_LENGTH} characters, without blanks or braces`;
const VARIABLE_NAME = /^[^\s{}]+$/;

const line = template(MAX_LINE_LENGTH);
const recordId = z
  .string({ error: 'must be an id of 24 hexadecimal digits' })
  .regex(OBJECT_ID, 'must be an id of 24 hexadecimal digits');

const variableName = z.string({ error: WRONG_NAME }).superRefine((name, context) => {
  if (!VARIABLE_NAME.test(name) || name.length > MAX_NAME_LENGTH) context.addIssue(WRONG_NAME);
  else if (name.split('.').some(isForbiddenSegment))
    context.addIssue('must not contain __proto__, constructor or prototype');
});

export const templateVariable = named(
  'TemplateVariableDto',
  object({
    name: described(variableName, { description: 'Path in the payload, with dots.', example: 'order.number' }),
    type: described(oneOf(VARIABLE_TYPES), { description: 'Type of the value.', example: 'String' }),
    required: described(z.boolean({ error: 'must be a boolean' }).nullish(), {
      description: 'Whether a trigger without the variable is rejected.',
    }),
    defaultValue: described(
      z
        .union([z.string(), z.number(), z.boolean(), z.array(z.unknown())], {
          error: 'must be a string, number, boolean or array',
        })
        .nullish(),
      { description: 'Value to use if the payload has none.' },
    ),
  }),
);
export type TemplateVariable = z.infer<typeof templateVariable>;

export const templateVariables = list(templateVariable, {
  max: MAX_VARIABLES,
  error: `must be an array of at most ${MAX_VARIABLES} variables`,
}).nullish();

export const emailBlock = named(
  'EmailBlockDto',
  object({
    type: described(oneOf(BLOCK_TYPES), { description: 'Kind of block.', example: 'text' }),
    content: described(template(MAX_SOURCE_BYTES), {
      description: 'Text of the block; a template.',
      example: 'Hello {{subscriber.firstName}}',
    }),
    url: described(template(MAX_URL_LENGTH).nullish(), { description: 'URL of a button; a template.' }),
    styles: described(
      named(
        'EmailBlockStylesDto',
        object({
          textAlign: described(oneOf(TEXT_ALIGNS).nullish(), { description: 'Alignment of the text.' }),
        }),
      ).nullish(),
      { description: 'Style of the block.' },
    ),
  }),
);
export type EmailBlock = z.infer<typeof emailBlock>;

const linkMembers = {
  url: described(template(MAX_URL_LENGTH).nullish(), {
    description: 'URL; a template.',
    example: '/orders/{{order.number}}',
  }),
  target: described(text(MAX_NAME_LENGTH).nullish(), {
    description: 'Browsing context in which the URL opens.',
    example: '_self',
  }),
};
const stepLink = named('StepLinkDto', open(object(linkMembers)));

const stepButton = named(
  'StepButtonDto',
  open(
    object({
      type: described(oneOf(BUTTON_TYPES), { description: 'Which of the two buttons.', example: 'primary' }),
      content: described(line, { description: 'Text of the button; a template.', example: 'Accept' }),
      resultContent: described(line.nullish(), {
        description: 'Text of the button after its use; a template.',
        example: 'Accepted',
      }),
      ...linkMembers,
    }),
  ),
);

const stepAction = named(
  'StepActionDto',
  open(
    object(
      {
        buttons: described(
          list(stepButton, {
            max: MAX_BUTTONS,
            error: `must be an array of at most ${MAX_BUTTONS} buttons`,
          }).nullish(),
          { description: 'At most ten buttons.' },
        ),
      },
      'must be an object with buttons',
    ),
  ),
);

export const stepCta = named(
  'StepCtaDto',
  open(
    object({
      type: described(oneOf(CTA_TYPES).nullish(), { description: 'Always `redirect`.' }),
      data: described(stepLink.nullish(), { description: 'Link of the message.' }),
      action: described(stepAction.nullish(), { description: 'Buttons.' }),
    }),
  ),
);

const actorType = described(oneOf(ACTOR_TYPES), {
  description: "Picture shown next to the message: none, the actor's, an icon or a custom image.",
  example: 'none',
});
const picture = text(MAX_URL_LENGTH).nullish();
const SYSTEM_ICON_ACTOR = object({ type: actorType, data: oneOf(SYSTEM_ICONS) });
const UNKNOWN_ACTOR = object({ type: actorType });
const OTHER_ACTOR = object({ type: actorType, data: picture });

export const stepActor = named(
  'StepActorDto',
  open(
    object({
      type: actorType,
      data: described(picture, { description: 'Name of an icon, or URL of an image.', nullable: true }),
    }),
  ),
);
const checkedActor = dependent(stepActor, (actor) => {
  if (!isObject(actor)) return OTHER_ACTOR;
  if (actor['type'] === 'system_icon') return SYSTEM_ICON_ACTOR;
  return ACTOR_TYPES.some((type) => type === actor['type']) ? OTHER_ACTOR : UNKNOWN_ACTOR;
});

const emailBlocks = list(emailBlock, {
  max: MAX_BLOCKS,
  error: 'must be a string or an array of blocks',
  wrongLength: `must contain at most ${MAX_BLOCKS} blocks`,
});
const content = template(MAX_SOURCE_BYTES);

/** A step may contain members of other types, which are not used. */
const members = {
  contentType: oneOf(CONTENT_TYPES).nullish(),
  content: documentAs(z.union([content, emailBlocks]), z.unknown()).nullish(),
  subject: line.nullish(),
  title: line.nullish(),
  preheader: line.nullish(),
  senderName: line.nullish(),
  name: text(MAX_NAME_LENGTH).nullish(),
  cta: stepCta.nullish(),
  variables: templateVariables,
  actor: checkedActor.nullish(),
};

/** Record ids are valid in one environment only. */
const byId = { feedId: recordId.nullish(), layoutId: recordId.nullish() };
const reference = text(MAX_NAME_LENGTH).min(1, { error: 'must not be empty' }).nullish();
const noRecordId = (instead: string) => z.undefined({ error: `must be absent: use ${instead}` }).optional();
/** Identifiers are valid in every environment. */
const byIdentifier = {
  feed: reference,
  layout: reference,
  feedId: noRecordId('feed'),
  layoutId: noRecordId('layout'),
};

export function typeFault(sent: unknown, stepType: string): string | undefined {
  const type = isObject(sent) ? TEMPLATE_TYPES.find((known) => known === sent['type']) : undefined;
  return type === undefined || type === stepType ? undefined : `must be ${stepType}`;
}

/** Depends on the type of the step and on the editor. */
function checkContent(template: RawObject, report: Report): void {
  const { type, contentType, content: sent, input } = template;
  checkStepInput(type, input, report);
  checkHttpRequest(type, template, report);
  for (const field of renderedFields(type, template)) {
    const fault = linkFault(field);
    if (fault !== undefined) report(fault, field.path);
  }
  if (sent === undefined || sent === null) return;
  if (!Array.isArray(sent)) {
    const isText = typeof sent === 'string' || type !== 'email';
    reportFaults(report, isText ? content : emailBlocks, sent, 'content');
  } else if (type !== 'email') {
    report('must be a string: only email steps have blocks', 'content');
  } else if (contentType === 'customHtml' || contentType === 'mjml') {
    report(`must be a string because contentType is ${contentType}`, 'content');
  } else if (sent.length <= MAX_BLOCKS && lengthOf(sent) > MAX_SOURCE_BYTES) {
    report(`must hold at most ${MAX_SOURCE_BYTES} characters in all its blocks`, 'content');
  } else {
    reportFaults(report, emailBlocks, sent, 'content');
  }
}

/** By type, for the document. All members are checked in every template. */
const documented = {
  text: (description: string, example = 'Order {{order.number}} is on its way.') =>
    described(content.nullish(), { description, example }),
  line: (description: string, example?: string) =>
    described(line.nullish(), { description, ...(example !== undefined && { example }) }),
  id: (description: string) => described(recordId.nullish(), { description, nullable: true }),
  common: {
    name: described(members.name, { description: 'Name of the template.' }),
    variables: described(templateVariables, {
      description:
        'Variables with types and default values; those that are required are checked when the workflow is triggered.',
    }),
  },
};

function templateOf(name: string, type: string, shape: z.ZodRawShape): z.ZodType {
  return named(
    name,
    open(object({ type: described(z.literal(type), { description: 'Type of the step.' }), ...shape })),
  );
}

/** For the OpenAPI document. */
function templateDocuments(kind: string, references: { feed: z.ZodRawShape; layout: z.ZodRawShape }) {
  return {
    in_app: templateOf(`InApp${kind}`, 'in_app', {
      content: documented.text('Text of the message; a template. HTML is allowed.'),
      subject: documented.line('Subject; a template.'),
      title: documented.line('Title; a template.'),
      cta: described(members.cta, { description: 'Call to action: link and buttons.' }),
      actor: described(members.actor, { description: 'Picture shown next to the message.' }),
      ...references.feed,
      ...documented.common,
    }),
    email: templateOf(`Email${kind}`, 'email', {
      subject: documented.line('Subject; a template.', 'Order {{order.number}} is on its way'),
      content: described(members.content, {
        description: 'HTML with `customHtml`, MJML with `mjml`, otherwise a text or blocks; a template.',
        example: '<p>Hello {{subscriber.firstName}}</p>',
      }),
      contentType: described(members.contentType, {
        description: 'Format of `content`: editor blocks, HTML or MJML, which is a whole document and takes no layout.',
        example: 'customHtml',
      }),
      preheader: documented.line('Preview text that mail clients show next to the subject; a template.'),
      senderName: documented.line("Name of the sender; replaces the integration's sender name. A template."),
      ...references.layout,
      ...documented.common,
    }),
    sms: templateOf(`Sms${kind}`, 'sms', { content: documented.text('Text; a template.'), ...documented.common }),
    chat: templateOf(`Chat${kind}`, 'chat', { content: documented.text('Text; a template.'), ...documented.common }),
    push: templateOf(`Push${kind}`, 'push', {
      title: documented.line('Title; a template.', 'On its way'),
      content: documented.text('Text; a template.'),
      ...documented.common,
    }),
    digest: templateOf(`Digest${kind}`, 'digest', {}),
    delay: templateOf(`Delay${kind}`, 'delay', {}),
    throttle: templateOf(`Throttle${kind}`, 'throttle', {}),
    wait_for_event: templateOf(`WaitForEvent${kind}`, 'wait_for_event', {}),
    http_request: templateOf(`HttpRequest${kind}`, 'http_request', httpRequestMembers),
    ...Object.fromEntries(
      STEP_TYPES.entries().map(([type, { input }]) => [
        type,
        templateOf(`${dtoNameOf(type)}${kind}`, type, {
          input: documentedStepInput(type, input),
          ...documented.common,
        }),
      ]),
    ),
  };
}

/** `create-ticket` becomes `CreateTicket`. */
function dtoNameOf(type: string): string {
  return type.replaceAll(/(?:^|[-_])([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function checkedTemplate<T extends z.ZodRawShape>(references: T) {
  return rule(
    open(
      object(
        { type: oneOf(TEMPLATE_TYPES, RUN_TYPES), ...members, ...references },
        'must be an object with the type and content of the step',
      ),
    ),
    checkContent,
  );
}

function documentedByType<T extends z.ZodType>(checked: T, documents: Readonly<Record<string, z.ZodType>>): T {
  const mapping = Object.fromEntries(
    Object.entries(documents).map(([type, document]) => [type, openApiOf(document).$ref]),
  );
  return shownAs(checked, z.union(Object.values(documents)).meta({ discriminator: { propertyName: 'type', mapping } }));
}

/** As clients send it. Other members are stored as sent. */
export const stepTemplate = documentedByType(
  checkedTemplate(byId),
  templateDocuments('TemplateDto', {
    feed: { feedId: documented.id('Id of the feed that the message belongs to.') },
    layout: {
      layoutId: documented.id(
        'Id of the layout. A new step without one gets the default layout, if there is one; null removes that of an existing step.',
      ),
    },
  }),
);
export type StepTemplate = z.infer<typeof stepTemplate>;

/** With feed and layout by identifier. */
export const portableTemplate = documentedByType(
  checkedTemplate(byIdentifier),
  templateDocuments('TemplateDefinitionDto', {
    feed: {
      feed: described(reference, {
        description: 'Identifier of the feed that the message belongs to. Default: none.',
        example: 'Activities',
      }),
    },
    layout: {
      layout: described(reference, { description: 'Identifier of the layout. Default: none.', example: 'company' }),
    },
  }),
);

function lengthOf(blocks: readonly unknown[]): number {
  return blocks.reduce<number>(
    (sum, block) => sum + (isObject(block) && typeof block['content'] === 'string' ? block['content'].length : 0),
    0,
  );
}
