import type { Types } from 'mongoose';
import { z } from 'zod';
import { CONDITION_ON, type ConditionGroup, conditionGroups } from '#libs/conditions';
import { type Fields, NAME_LENGTH, reportOperatorKeys } from '#libs/http-kit';
import { delayMetadata, digestMetadata, type StepMetadata, stepMetadata } from '#libs/schedule';
import { parseTemplate, type StepTemplate as DeclaredTemplate, stepTemplate } from '#libs/templates';
import {
  described,
  documentAs,
  flag,
  isObject,
  list,
  membersOf,
  named,
  object,
  type RawObject,
  type Report,
  reportFaults,
  rule,
  text,
  type WithoutNull,
} from '#libs/validation';

/** Most steps of a workflow. */
export const MAX_STEPS = 200;
export const MAX_VARIANTS = 50;
const MAX_URL_LENGTH = 5000;

export const replyCallback = named(
  'ReplyCallbackDto',
  object({
    active: described(flag().nullish(), { description: 'Whether it is used.' }),
    url: described(text(MAX_URL_LENGTH).nullish(), {
      description: 'URL that is called.',
      example: 'https://example.com/replies',
    }),
  }),
  'Where replies of a recipient are forwarded to.',
);

const uuid = text(NAME_LENGTH).min(1, { error: 'must not be empty: leave it out to have one made' });

const members = {
  _id: described(documentAs(z.string(), z.unknown()).optional(), {
    description: 'Id of an existing step: the step keeps its id, and the template fields that are absent here.',
  }),
  uuid: described(uuid.nullish(), {
    description: 'Names the step to conditions of later steps; generated when absent.',
  }),
  stepId: described(text(NAME_LENGTH).nullish(), { description: 'Your own name of the step for programs.' }),
  name: described(text(NAME_LENGTH).nullish(), { description: 'Name of the step.', example: 'Tell the customer' }),
  active: described(flag().nullish(), {
    description: 'Inactive steps are left out. True unless given.',
    default: true,
  }),
  shouldStopOnFail: described(flag().nullish(), {
    description: 'True ends the run of a recipient for whom this step fails.',
    default: false,
  }),
  template: described(rule(stepTemplate, reportOperatorKeys), {
    description:
      'What the step sends or does; `type` says which fields there are. Further fields are kept as they were sent.',
  }),
  filters: described(conditionGroups({ on: CONDITION_ON, templateFault }), {
    description: 'The step runs if one of these groups of conditions passes, or if there is none.',
  }),
  metadata: described(documentAs(stepMetadata, z.unknown()).nullish(), {
    description: 'When a digest or a delay ends; needed by these two.',
  }),
  replyCallback: described(replyCallback.nullish(), {
    description: 'Where replies of a recipient are forwarded to.',
  }),
};

/** A step without its variants, or a variant, as a client sends it. */
export const stepVariant = named(
  'StepVariantDto',
  rule(object(members), checkMetadata),
  'An alternative of a step, as it is sent.',
);

/** A step, as a client sends it. {@link validateSteps} checks it piece by piece. */
export const step = named(
  'StepDto',
  object({
    ...members,
    variants: described(
      list(stepVariant, {
        max: MAX_VARIANTS,
        error: 'must be an array of steps',
        wrongLength: `must contain at most ${MAX_VARIANTS} steps`,
      }).nullish(),
      {
        description:
          'Alternatives of the same type, of which the first whose filters pass takes the place of the step.',
      },
    ),
  }),
  'A step, as it is sent.',
);

/** What the metadata of a step may be follows from its type. */
function checkMetadata({ template, metadata }: RawObject, report: Report): void {
  const type = isObject(template) ? template['type'] : undefined;
  const schema = type === 'digest' ? digestMetadata : type === 'delay' ? delayMetadata : stepMetadata.nullish();
  reportFaults(report, schema, metadata, 'metadata');
}

function templateFault(template: string): string | undefined {
  const result = parseTemplate(template);
  return result.ok ? undefined : result.message;
}

const VARIANT_FIELDS = { ...(membersOf(stepVariant) as Fields), type: true } as const;

/** What a step may have. `type` is what the compatible system shows of steps. */
export const STEP_FIELDS: Fields = { ...VARIANT_FIELDS, variants: VARIANT_FIELDS };

/** A template as a client sends it. */
export type SentTemplate = DeclaredTemplate & {
  /** As it was read; see `feedOf` in build-steps. */
  _feedId?: unknown;
  [extra: string]: unknown;
};

/** A step as a client sends it, once it is found to be without fault. */
export type SentStep = Omit<z.infer<typeof step>, 'template' | 'variants'> & {
  _templateId?: unknown;
  template: SentTemplate;
  variants?: SentStep[] | null;
};

/**
 * What a step sends. It lies inside its workflow, so that a workflow is written in one piece; its id is that of its
 * step. Members that are not known here are kept as they were sent.
 */
export type StepTemplate = WithoutNull<Omit<DeclaredTemplate, 'feedId' | 'layoutId'>> & {
  _feedId?: Types.ObjectId;
  _layoutId?: Types.ObjectId;
  [extra: string]: unknown;
};

export type ReplyCallback = WithoutNull<z.infer<typeof replyCallback>>;

/** An alternative of a step, chosen by its filters. */
export interface StepVariant {
  _id: Types.ObjectId;
  /** Names the step to conditions of later steps. */
  uuid: string;
  stepId?: string;
  name?: string;
  active: boolean;
  shouldStopOnFail: boolean;
  template: StepTemplate;
  filters: ConditionGroup[];
  metadata: StepMetadata;
  replyCallback: ReplyCallback;
}

export interface Step extends StepVariant {
  variants: StepVariant[];
}
