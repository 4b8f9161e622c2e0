import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import { STEP_GROUPS, STEP_TYPES, type StepGroup, type StepTypeDeclaration } from '#libs/plugins';
import { formSchemaOf } from '#libs/validation';

const FORM_NOTE =
  '`title` and `description` of each property are for people who do not program. `x-labels` has words for the values of an ' +
  'enumeration, or for the best known texts of a property that can have `x-other` ones. `x-when` has the values, or lists of values, that ' +
  'other properties must have for this one to be asked for, and `x-unless` those for which it is not. `default` is what counts where a ' +
  'property is absent, `x-initial` what an editor begins with, and `x-cases` has hints in place of these where their own `x-when` holds. ' +
  '`x-control` says which input to show where a plain one is not right: `duration` (an amount, whose unit is in the property that has ' +
  '`Unit` or `unit` in place of `Amount` or `amount`), `timed` (the time and the days of such an interval), `cron`, `schedule`, `code` ' +
  '(a template), `html`, `email`, `conditions`, `path` (in the payload), `url`, `json`, `step` (an earlier one, by `stepId` or `uuid`), ' +
  '`feed`, `layout`, `workflow` (each a record to choose).';

const METADATA_EXAMPLE = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['regular', 'scheduled'],
      title: 'Wait',
      description: 'Whether to wait for a time, or until a date that the event brings.',
      'x-labels': { regular: 'For a time', scheduled: 'Until a date of the event' },
      'x-initial': 'regular',
    },
    delayPath: {
      type: 'string',
      title: 'Date in the payload',
      description: 'Where the event has the date, such as order.sendAt.',
      'x-control': 'path',
      'x-when': { type: 'scheduled' },
    },
  },
  required: ['type'],
};

const NO_FORM = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} };

/** A sentence about a step. */
export class StepSummaryLineResponse {
  /** With placeholders: paths of the step's `template` and `metadata`. @example "Waits {metadata.amount} {metadata.unit}." */
  text: string;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Values that the step must have, by their paths.',
    example: { 'metadata.type': 'regular' },
  })
  when?: Record<string, string | number | boolean>;
}

/** A type of step, for editors of workflows. */
export class StepTypeResponse {
  /** `type` of the template of such steps. @example delay */
  type: string;
  /** Name for people. @example Delay */
  label: string;
  /** Where an editor offers it. */
  @ApiProperty({ enum: STEP_GROUPS, example: 'control' })
  group: StepGroup;
  /** What such a step does, in one sentence. @example "Waits before the next step." */
  description: string;
  /** Whether variants can replace the content of the step. @example false */
  canHaveVariants: boolean;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: `JSON Schema, draft 2020-12, of the fields of \`template\` besides \`type\`. ${FORM_NOTE}`,
    example: NO_FORM,
  })
  template: Record<string, unknown>;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema, draft 2020-12, of `metadata`, with the same hints.',
    example: METADATA_EXAMPLE,
  })
  metadata: Record<string, unknown>;
  /** Sentences about a step. The first one counts whose `when` holds and whose placeholders all have a value. */
  @ApiProperty({
    type: [StepSummaryLineResponse],
    example: [
      { text: 'Waits until the date at {metadata.delayPath} in the payload.', when: { 'metadata.type': 'scheduled' } },
      { text: 'Waits {metadata.amount} {metadata.unit}.' },
    ],
  })
  summary: StepSummaryLineResponse[];
  /** The plugin that brings it; absent for types of Herald. */
  plugin?: string;
}

export function showStepType(declaration: StepTypeDeclaration): StepTypeResponse {
  const { type, label = inWords(type), group = 'plugin', canHaveVariants = group === 'plugin' } = declaration;
  const plugin = STEP_TYPES.pluginOf(type);
  const { description = plugin === undefined ? `A step ${label}.` : `A step of the plugin ${plugin}.` } = declaration;
  return shown(StepTypeResponse, {
    type,
    label,
    group,
    description,
    canHaveVariants,
    template: templateForm(declaration),
    metadata: withTitles(formSchemaOf(declaration.metadata?.members ?? {})),
    summary: (declaration.summary ?? [{ text: description }]).map(({ text, when }) =>
      shown(StepSummaryLineResponse, { text, when: when && { ...when } }),
    ),
    plugin,
  });
}

function templateForm({ template, input }: StepTypeDeclaration): Json {
  return withTitles(formSchemaOf({ ...template, ...(input && { input }) }));
}

type Json = Record<string, unknown>;

/** Plugins need not write words for each property. */
function withTitles(schema: Json): Json {
  const { properties, items, ...rest } = schema;
  return {
    ...rest,
    ...(isJson(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [
          name,
          isJson(member) ? { title: inWords(name), description: '', ...withTitles(member) } : member,
        ]),
      ),
    }),
    ...(items !== undefined && { items: isJson(items) ? withTitles(items) : items }),
  };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `create-ticket` and `createTicket` become `Create ticket`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[-_.]+/g, ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
