import type { MissingReference } from '#libs/common';
import { withoutNullish } from '#libs/persistence';
import { isObject, type RawObject } from '#libs/validation';
import type {
  PortableStep,
  PortableTemplate,
  PortableVariant,
  SentStep,
  Step,
  StepTemplate,
  StepVariant,
} from './steps/step.schema.js';

/** Custom fields follow in alphabetical order. */
const TEMPLATE_ORDER = [
  'type',
  'name',
  'feed',
  'layout',
  'senderName',
  'subject',
  'preheader',
  'title',
  'contentType',
  'content',
  'images',
  'cta',
  'actor',
  'groupKey',
  'replaces',
  'variables',
];

/**
 * The same name in every environment: `stepId`, or else type and number. Anything that is not a step is returned
 * unchanged.
 */
export function withStepNames(steps: unknown): unknown {
  if (!Array.isArray(steps)) return steps;
  const counts = new Map<unknown, number>();
  return steps.map((step: unknown) => {
    if (!isObject(step)) return step;
    const type = isObject(step['template']) ? step['template']['type'] : undefined;
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return { ...named(step, `${String(type)}-${count}`), ...namedVariants(step) };
  });
}

function namedVariants({ variants }: RawObject): { variants?: unknown[] } {
  if (!Array.isArray(variants)) return {};
  return {
    variants: variants.map((variant: unknown, index) =>
      isObject(variant) ? named(variant, `variant-${index + 1}`) : variant,
    ),
  };
}

function named(step: RawObject, otherwise: string): RawObject {
  const { uuid, stepId } = step;
  if (uuid !== undefined && uuid !== null) return step;
  return { ...step, uuid: typeof stepId === 'string' && stepId !== '' ? stepId : otherwise };
}

export interface NamesById {
  feed(id: string): string;
  layout(id: string): string;
}

/** Without ids and defaults, in a fixed order of fields. */
export function showPortableSteps(steps: readonly Step[], names: NamesById): PortableStep[] {
  const shown = steps.map((step) => ({
    ...showVariant(step, names),
    ...(step.variants.length > 0 && { variants: step.variants.map((variant) => showVariant(variant, names)) }),
  }));
  const byDefault = withStepNames(shown.map(withoutName)) as PortableStep[];
  return shown.map((step, index) => {
    const unnamed = step.uuid === byDefault[index]?.uuid ? withoutUuid(step) : step;
    if (step.variants === undefined) return unnamed;
    const variants = step.variants.map((variant, place) =>
      variant.uuid === byDefault[index]?.variants?.[place]?.uuid ? withoutUuid(variant) : variant,
    );
    return { ...unnamed, variants };
  });
}

function withoutName(step: PortableStep): PortableStep {
  return { ...withoutUuid(step), ...(step.variants && { variants: step.variants.map(withoutUuid) }) };
}

function withoutUuid<T extends PortableVariant>({ uuid: _uuid, ...rest }: T): Omit<T, 'uuid'> {
  return rest;
}

function showVariant(step: StepVariant, names: NamesById): PortableVariant {
  const { uuid, stepId, name, active, shouldStopOnFail, branch, template, metadata, filters, replyCallback } = step;
  return {
    uuid,
    ...withoutNullish({ stepId, name }),
    ...(!active && { active }),
    ...(shouldStopOnFail && { shouldStopOnFail }),
    ...(branch && { branch }),
    template: showTemplate(template, names),
    ...(!isEmpty(metadata) && { metadata: inOrder(metadata) }),
    ...(filters.length > 0 && { filters }),
    ...(!isEmpty(replyCallback) && { replyCallback }),
  };
}

function showTemplate({ _feedId, _layoutId, ...rest }: StepTemplate, names: NamesById): PortableTemplate {
  const fields: Record<string, unknown> = {
    ...rest,
    ...(_feedId && { feed: names.feed(_feedId.toHexString()) }),
    ...(_layoutId && { layout: names.layout(_layoutId.toHexString()) }),
  };
  if (rest.variables?.length === 0) delete fields['variables'];
  return inOrder(fields) as PortableTemplate;
}

function inOrder<T extends object>(fields: T): T {
  const place = (key: string): number => (TEMPLATE_ORDER.indexOf(key) + 1 || TEMPLATE_ORDER.length + 1) - 1;
  const keys = Object.keys(fields).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, (fields as Record<string, unknown>)[key]])) as T;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

export interface IdsByName {
  feed(name: string): string;
  layout(name: string): string;
}

export function sentSteps(steps: readonly PortableStep[], ids: IdsByName): SentStep[] {
  return steps.map((step) => ({
    ...sentVariant(step, ids),
    ...(step.variants && { variants: step.variants.map((variant) => sentVariant(variant, ids)) }),
  }));
}

function sentVariant(variant: PortableVariant, ids: IdsByName): SentStep {
  const { feed, layout, ...template } = variant.template;
  const references = {
    ...(typeof feed === 'string' && { feedId: ids.feed(feed) }),
    ...(typeof layout === 'string' && { layoutId: ids.layout(layout) }),
  };
  return { ...variant, variants: null, template: { ...template, ...references } };
}

export interface NamedReference {
  readonly kind: 'feed' | 'layout';
  readonly name: string;
  readonly path: string;
}

export function namedReferences(steps: readonly PortableStep[]): NamedReference[] {
  return steps.flatMap((step, index) => [
    ...referencesOf(step, `steps.${index}`),
    ...(step.variants ?? []).flatMap((variant, place) => referencesOf(variant, `steps.${index}.variants.${place}`)),
  ]);
}

function referencesOf({ template }: PortableVariant, path: string): NamedReference[] {
  return (['feed', 'layout'] as const).flatMap((kind) => {
    const name = template[kind];
    return typeof name === 'string' ? [{ kind, name, path: `${path}.template.${kind}` }] : [];
  });
}

/** What a definition of a workflow names. */
export function neededBy({
  notificationGroup,
  steps,
}: {
  readonly notificationGroup: string;
  readonly steps: readonly PortableStep[];
}): Pick<MissingReference, 'kind' | 'name'>[] {
  return [{ kind: 'notification-group', name: notificationGroup }, ...namedReferences(steps)];
}
