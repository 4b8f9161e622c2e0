import { z } from 'zod';
import {
  dataPath,
  dependent,
  described,
  documentAs,
  inForm,
  isForbiddenSegment,
  isObject,
  list,
  named,
  object,
  oneOf,
  open,
  type RawObject,
  type Report,
  reportFaults,
  text,
} from '#libs/validation';
import { judgeTemplate } from './languages.js';
import { MAX_SOURCE_BYTES } from './syntax.js';
import {
  ACTOR_TYPES,
  BLOCK_TYPES,
  BUTTON_TYPES,
  CONTENT_TYPES,
  CTA_TYPES,
  INNER_BLOCK_TYPES,
  PICTURE_PLACES,
  SYSTEM_ICONS,
  TEXT_ALIGNS,
  VARIABLE_TYPES,
} from './template.types.js';
import { visitTexts } from './visit-texts.js';

const MAX_LINE_LENGTH = 2000;
const MAX_URL_LENGTH = 5000;
const MAX_NAME_LENGTH = 255;
/** Of a rendered key, such as that of a group; longer ones count by their beginning. */
export const MAX_KEY_LENGTH = 255;
const MAX_BLOCKS = 200;
const MAX_COLUMNS = 4;
const MAX_LINKS = 20;
const MAX_BUTTONS = 10;
const MAX_VARIABLES = 500;
const OBJECT_ID = /^[0-9a-fA-F]{24}$/;
const WRONG_NAME = `must be a dotted path of at most ${MAX_NAME_LENGTH} characters, without blanks or braces`;
const VARIABLE_NAME = /^[^\s{}]+$/;
const VALUE_PATH = /^[\w$-]+(?:\.[\w$-]+)*$/;

/** A text that is rendered. */
export function template(maxLength: number): z.ZodString {
  return text(maxLength).superRefine((source, context) => {
    const result = source.length > maxLength ? undefined : judgeTemplate(source);
    if (result?.ok === false) context.addIssue(`is not a valid template: ${result.message}`);
  });
}

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

const hexColor = z
  .string({ error: 'must be a color such as #0b5fff' })
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, { error: 'must be a color such as #0b5fff' });

const WRONG_PATH = 'must be the path of a value, such as order.items';
const valuePath = dataPath(MAX_NAME_LENGTH, WRONG_PATH).regex(VALUE_PATH, { error: WRONG_PATH });

const blockLink = named(
  'EmailBlockLinkDto',
  object({
    text: described(line, { description: 'Text of the link; a template.', example: 'Mastodon' }),
    url: described(template(MAX_URL_LENGTH), {
      description: 'Where it leads; a template.',
      example: 'https://mastodon.example/@shop',
    }),
  }),
);

const blockTypeWords = {
  description:
    'Kind of block. A footer is a small text, for the link to unsubscribe and your address; a product is a row of a receipt.',
  example: 'text',
};

/** What blocks in columns and all others have. */
const blockMembers = {
  content: described(template(MAX_SOURCE_BYTES), {
    description:
      'Text of the block; a template. Of an image, its alternative text, which is empty for decoration; of a product, its name; of dividers, columns and social links, an empty text.',
    example: 'Hello {{subscriber.firstName}}',
  }),
  url: described(template(MAX_URL_LENGTH).nullish(), {
    description: 'URL of a button, or of the picture of an image or a product; a template.',
  }),
  price: described(line.nullish(), { description: 'Of a product, what stands at the end of its row; a template.' }),
  links: described(
    list(blockLink, { max: MAX_LINKS, error: `must be an array of at most ${MAX_LINKS} links` }).nullish(),
    { description: 'Of social links, the links.' },
  ),
  each: described(valuePath.nullish(), {
    description: 'Path of a list: the block stands there once for each element, which its texts know as `item`.',
    example: 'order.items',
  }),
  showIf: described(valuePath.nullish(), {
    description: 'Path of a value: the block is left out if it is missing, false, 0, or an empty text or list.',
    example: 'order.discount',
  }),
  styles: described(
    named(
      'EmailBlockStylesDto',
      object({
        textAlign: described(oneOf(TEXT_ALIGNS).nullish(), { description: 'Alignment of the text.' }),
        backgroundColor: described(hexColor.nullish(), {
          description: 'Background of a button. Default: the color of the branding.',
          example: '#0b5fff',
        }),
        color: described(hexColor.nullish(), {
          description: 'Text of a button. Default: white.',
          example: '#ffffff',
        }),
      }),
    ).nullish(),
    { description: 'Style of the block.' },
  ),
};

const innerBlock = named(
  'EmailInnerBlockDto',
  object({ type: described(oneOf(INNER_BLOCK_TYPES), blockTypeWords), ...blockMembers }),
);
export type InnerBlock = z.infer<typeof innerBlock>;

const column = named(
  'EmailColumnDto',
  object({
    blocks: described(
      list(innerBlock, { max: MAX_BLOCKS, error: `must be an array of at most ${MAX_BLOCKS} blocks` }),
      { description: 'What stands in the column. Columns cannot stand in columns.' },
    ),
  }),
);

export const emailBlock = named(
  'EmailBlockDto',
  object({
    type: described(oneOf(BLOCK_TYPES), blockTypeWords),
    ...blockMembers,
    columns: described(
      list(column, { max: MAX_COLUMNS, error: `must be an array of at most ${MAX_COLUMNS} columns` }).nullish(),
      { description: 'Of columns, what stands side by side, and one below the other on a phone.' },
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

/** Members that the templates of messages have. All of them are checked in every template, whatever its type uses. */
export const contentMembers = {
  contentType: oneOf(CONTENT_TYPES).nullish(),
  content: documentAs(z.union([content, emailBlocks]), z.unknown()).nullish(),
  subject: line.nullish(),
  title: line.nullish(),
  preheader: line.nullish(),
  senderName: line.nullish(),
  groupKey: line.nullish(),
  replaces: line.nullish(),
  name: text(MAX_NAME_LENGTH).nullish(),
  cta: stepCta.nullish(),
  variables: templateVariables,
  actor: checkedActor.nullish(),
};

/** Record ids are valid in one environment only. */
export const recordReferences = { feedId: recordId.nullish(), layoutId: recordId.nullish() };

/** Identifiers are valid in every environment. */
export const identifierReference = text(MAX_NAME_LENGTH).min(1, { error: 'must not be empty' }).nullish();

/** In the template of every message. */
export const commonMembers = {
  name: described(contentMembers.name, { description: 'Name of the template.' }),
  variables: described(templateVariables, {
    description:
      'Variables with types and default values; those that are required are checked when the workflow is triggered.',
  }),
};

interface Words {
  readonly title: string;
  readonly help: string;
  readonly control?: 'code' | 'html' | 'email';
  readonly required?: true;
}

/** A text of several lines, as a type of step declares it. */
export function contentWord(
  description: string,
  form: Words,
  example = 'Order {{order.number}} is on its way.',
): z.ZodOptional<z.ZodNullable<typeof content>> {
  return inForm(content.nullish(), { control: 'code', ...form }, { description, example });
}

export function lineWord(
  description: string,
  form: Words,
  example?: string,
): z.ZodOptional<z.ZodNullable<typeof line>> {
  return inForm(line.nullish(), form, { description, ...(example !== undefined && { example }) });
}

/** Editors store an empty block for an empty text. */
export function isWithoutContent({ content: stored }: { readonly content?: string | readonly EmailBlock[] }): boolean {
  if (typeof stored === 'string' || stored === undefined) return (stored ?? '').trim() === '';
  return stored.flatMap(withInner).every(isEmpty);
}

function isEmpty({ type, content: written, links }: EmailBlock): boolean {
  if (type === 'social') return (links ?? []).length === 0;
  return type === 'divider' || type === 'columns' || (type !== 'image' && written.trim() === '');
}

/** A block and those in its columns. */
export function withInner<T extends Pick<EmailBlock, 'columns'>>(block: T): (T | InnerBlock)[] {
  return [block, ...(block.columns ?? []).flatMap(({ blocks }) => blocks)];
}

/** The content of steps that have no blocks. */
export function checkText({ content: sent }: RawObject, report: Report): void {
  if (sent === undefined || sent === null) return;
  if (Array.isArray(sent)) report('must be a string: only email steps have blocks', 'content');
  else reportFaults(report, content, sent, 'content');
}

export const picturePlace = oneOf(PICTURE_PLACES).nullish();

/** The content of a mail depends on the editor. */
export function checkMail({ contentType, content: sent, images }: RawObject, report: Report): void {
  reportFaults(report, picturePlace, images, 'images');
  if (sent === undefined || sent === null) return;
  if (!Array.isArray(sent)) {
    reportFaults(report, typeof sent === 'string' ? content : emailBlocks, sent, 'content');
  } else if (contentType === 'customHtml' || contentType === 'mjml') {
    report(`must be a string because contentType is ${contentType}`, 'content');
  } else if (sent.length <= MAX_BLOCKS && lengthOf(sent) > MAX_SOURCE_BYTES) {
    report(`must hold at most ${MAX_SOURCE_BYTES} characters in all its blocks`, 'content');
  } else if (reportFaults(report, emailBlocks, sent, 'content') === 0 && countOf(sent) > MAX_BLOCKS) {
    report(`must contain at most ${MAX_BLOCKS} blocks, those in columns included`, 'content');
  }
}

function lengthOf(blocks: readonly unknown[]): number {
  let length = 0;
  visitTexts(blocks, [], (text, path) => void (path.at(-1) === 'content' && (length += text.length)));
  return length;
}

function countOf(blocks: readonly unknown[]): number {
  return (blocks as readonly EmailBlock[]).flatMap(withInner).length;
}
