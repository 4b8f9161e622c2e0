import type { Types } from 'mongoose';
import { z } from 'zod';
import { CONDITION_ON, type ConditionGroup, conditionGroups } from '#libs/conditions';
import { type Fields, NAME_LENGTH, reportOperatorKeys } from '#libs/http-kit';
import { STEP_TYPES } from '#libs/plugins';
import type { StepMetadata } from '#libs/schedule';
import { judgeTemplate } from '#libs/templates';
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
import { generalMetadata, stepMetadata } from './metadata.schema.js';
import { portableTemplate, type StepTemplate as DeclaredTemplate, stepTemplate } from './template.schema.js';

export const MAX_STEPS = 200;
export const MAX_VARIANTS = 50;
const MAX_URL_LENGTH = 5000;

export const replyCallback = named(
  'ReplyCallbackDto',
  object({
    active: described(flag().nullish(), { description: 'Whether replies are forwarded.' }),
    url: described(text(MAX_URL_LENGTH).nullish(), {
      description: 'URL to call.',
      example: 'https://example.com/replies',
    }),
  }),
  'Stored for compatibility; has no effect, because Herald receives no mail.',
);

const uuid = text(NAME_LENGTH).min(1, { error: 'must not be empty: leave it out to have one made' });

/** Where a step stands. */
export const branchPlace = named(
  'StepBranchDto',
  object({
    step: described(text(NAME_LENGTH), {
      description: '`stepId` or `uuid` of the earlier step that decides.',
      example: 'plan',
    }),
    arm: described(text(NAME_LENGTH), { description: 'Name of the arm.', example: 'else' }),
  }),
  'The arm of an earlier branch or split in which a step stands.',
);

const own = {
  stepId: described(text(NAME_LENGTH).nullish(), { description: 'Your identifier of the step.' }),
  name: described(text(NAME_LENGTH).nullish(), { description: 'Name of the step.', example: 'Tell the customer' }),
  active: described(flag().nullish(), {
    description: 'Inactive steps are skipped. Default: true.',
    default: true,
  }),
  shouldStopOnFail: described(flag().nullish(), {
    description: 'If true, a failure of this step ends the run for the recipient.',
    default: false,
  }),
  branch: described(branchPlace.nullish(), {
    description: 'The step runs only for those who take this arm of an earlier branch or split.',
  }),
};

const behavior = {
  filters: described(conditionGroups({ on: CONDITION_ON, templateFault }), {
    description: 'The step runs if one of these groups of conditions passes, or if there are no groups.',
  }),
  metadata: described(documentAs(stepMetadata, z.unknown()).nullish(), {
    description:
      'End of a digest or delay, limit of a throttle, or event of a wait, and required for these types; of channel steps, when messages may be sent.',
  }),
  replyCallback: described(replyCallback.nullish(), {
    description: 'Stored for compatibility; has no effect, because Herald receives no mail.',
  }),
};

const members = {
  _id: described(documentAs(z.string(), z.unknown()).optional(), {
    description: 'Id of an existing step: the step keeps its id and the template fields that are absent here.',
  }),
  uuid: described(uuid.nullish(), {
    description: 'Identifies the step in conditions of later steps; generated if absent.',
  }),
  ...own,
  template: described(rule(stepTemplate, reportOperatorKeys), {
    description: 'Content of the step; `type` determines its fields. Further fields are stored as they are.',
  }),
  ...behavior,
};

const portableMembers = {
  uuid: described(uuid.nullish(), {
    description:
      'Identifies the step in conditions of later steps, and when it is sent again. Default: `stepId`, or else the type with the number of the step among those of its type, such as `email-1`.',
    example: 'mail',
  }),
  ...own,
  template: described(rule(portableTemplate, reportOperatorKeys), {
    description:
      'Content of the step; `type` determines its fields. Further fields are stored as they are; files cannot have them.',
  }),
  ...behavior,
};

export const stepVariant = named('StepVariantDto', rule(object(members), checkMetadata), 'An alternative of a step.');
export const portableVariant = named(
  'StepVariantDefinitionDto',
  rule(object(portableMembers), checkMetadata),
  'An alternative of a step.',
);

const variantsOf = <T extends z.ZodType>(variant: T) =>
  described(
    list(variant, {
      max: MAX_VARIANTS,
      error: 'must be an array of steps',
      wrongLength: `must contain at most ${MAX_VARIANTS} steps`,
    }).nullish(),
    {
      description: 'Alternatives of the same type; the first one whose filters pass replaces the step.',
    },
  );

export const step = named('StepDto', object({ ...members, variants: variantsOf(stepVariant) }), 'A step.');

/** Without ids, so it means the same in every environment. */
export const portableStep = named(
  'StepDefinitionDto',
  object({ ...portableMembers, variants: variantsOf(portableVariant) }),
  'A step.',
);

function checkMetadata({ template, metadata }: RawObject, report: Report): void {
  const type = isObject(template) ? template['type'] : undefined;
  reportFaults(report, STEP_TYPES.get(type)?.metadata?.check ?? generalMetadata(), metadata, 'metadata');
}

function templateFault(template: string): string | undefined {
  const result = judgeTemplate(template);
  return result.ok ? undefined : result.message;
}

/** Known after all types of steps are declared. */
export const stepFields = (): Fields => withVariants({ ...(membersOf(stepVariant) as Fields), type: true });
export const portableStepFields = (): Fields => withVariants(membersOf(portableVariant) as Fields);

function withVariants(fields: Fields): Fields {
  return { ...fields, variants: fields };
}

export type SentTemplate = DeclaredTemplate & {
  /** As it was read; see `feedOf` in build-steps. */
  _feedId?: unknown;
  [extra: string]: unknown;
};

export type SentStep = Omit<z.infer<typeof step>, 'template' | 'variants'> & {
  _templateId?: unknown;
  template: SentTemplate;
  variants?: SentStep[] | null;
};

export type PortableTemplate = Omit<DeclaredTemplate, 'feedId' | 'layoutId'> & {
  feed?: string | null;
  layout?: string | null;
  [extra: string]: unknown;
};

export type PortableVariant = Omit<z.infer<typeof portableVariant>, 'template'> & { template: PortableTemplate };
export type PortableStep = PortableVariant & { variants?: PortableVariant[] | null };

/** Embedded in its workflow, so that one write covers both. Unknown members are kept as sent. */
export type StepTemplate = WithoutNull<Omit<DeclaredTemplate, 'feedId' | 'layoutId'>> & {
  _feedId?: Types.ObjectId;
  _layoutId?: Types.ObjectId;
  [extra: string]: unknown;
};

export type ReplyCallback = WithoutNull<z.infer<typeof replyCallback>>;

export type BranchPlace = z.infer<typeof branchPlace>;

export interface StepVariant {
  _id: Types.ObjectId;
  uuid: string;
  stepId?: string;
  name?: string;
  active: boolean;
  shouldStopOnFail: boolean;
  branch?: BranchPlace;
  template: StepTemplate;
  filters: ConditionGroup[];
  metadata: StepMetadata;
  replyCallback: ReplyCallback;
}

export interface Step extends StepVariant {
  variants: StepVariant[];
}
