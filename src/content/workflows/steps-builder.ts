import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '#libs/http-kit';
import { FailPoint, type TenantContext } from '#libs/common';
import { type CompiledPart, STEP_TYPES } from '#libs/plugins';
import { Rendering, RenderingBusy, TemplateError, type TemplateLanguage } from '#libs/templates';
import { FeedsService } from '../feeds/index.js';
import { LayoutsService } from '../layouts/index.js';
import { NotificationGroupsService } from '../notification-groups/index.js';
import { assertRunnable } from './steps/assert-runnable.js';
import { buildSteps, hasLayout, type StepContext } from './steps/build-steps.js';
import type { SentStep, Step, StepTemplate } from './steps/step.schema.js';

/** Between the check of references and the write of the workflow. */
export const STEPS_CHECKED = new FailPoint('workflow.steps-checked');

/** Of the templates. */
interface InLanguage {
  readonly language: TemplateLanguage | null | undefined;
}

@Injectable()
export class StepsBuilder {
  constructor(
    private readonly feeds: FeedsService,
    private readonly layouts: LayoutsService,
    private readonly groups: NotificationGroupsService,
    private readonly rendering: Rendering,
  ) {}

  /** @throws {ValidationFailed} naming each unknown feed and layout */
  async build(
    tenant: TenantContext,
    sent: readonly SentStep[],
    { language, ...context }: Omit<StepContext, 'defaultLayoutId'> & InLanguage,
  ): Promise<Step[]> {
    const defaultLayoutId = sent.some(mayNeedLayout) ? await this.layouts.findDefaultId(tenant) : undefined;
    const steps = buildSteps(sent, { ...context, ...(defaultLayoutId !== undefined && { defaultLayoutId }) });
    await this.assertReferences(tenant, steps);
    await this.assertCompilable(tenant, steps, language);
    assertRunnable(steps);
    await STEPS_CHECKED.pass();
    return steps;
  }

  /** As it would be stored as a new step, also if it could not run yet. */
  async draft(tenant: TenantContext, sent: SentStep): Promise<Step[]> {
    const defaultLayoutId = mayNeedLayout(sent) ? await this.layouts.findDefaultId(tenant) : undefined;
    const steps = buildSteps([sent], { existing: [], ...(defaultLayoutId !== undefined && { defaultLayoutId }) });
    await this.assertReferences(tenant, steps);
    return steps;
  }

  /** Only ids of existing steps are kept. @throws {ValidationFailed} */
  async buildComplete(
    tenant: TenantContext,
    sent: readonly SentStep[],
    { existing, language }: Pick<StepContext, 'existing'> & InLanguage,
  ): Promise<Step[]> {
    const steps = buildSteps(sent, { existing, isComplete: true });
    await this.assertCompilable(tenant, steps, language);
    assertRunnable(steps);
    await STEPS_CHECKED.pass();
    return steps;
  }

  /**
   * Compiles MJML and the schemas of requests in a thread. What cannot be checked now is checked when the step runs.
   * @throws {ValidationFailed}
   */
  private async assertCompilable(
    { environmentId }: TenantContext,
    steps: readonly Step[],
    language: TemplateLanguage | null | undefined,
  ): Promise<void> {
    const faults: string[] = [];
    for (const { template, path } of steps.flatMap(templatesOf)) {
      for (const part of STEP_TYPES.get(template.type)?.compiles?.(template) ?? []) {
        try {
          await this.compile(part, template[part.member], { environmentId, language });
        } catch (error) {
          if (error instanceof RenderingBusy) return;
          if (!(error instanceof TemplateError)) throw error;
          faults.push(`${path}.template.${part.member} is not ${LANGUAGES[part.as]}: ${error.message}`);
        }
      }
    }
    if (faults.length > 0) throw new ValidationFailed(faults);
  }

  private async compile(
    { as }: CompiledPart,
    source: unknown,
    { environmentId, language }: InLanguage & { readonly environmentId: string },
  ): Promise<void> {
    if (as === 'MJML') await this.rendering.assertMjml(source as string, environmentId, language ?? undefined);
    else await this.rendering.schemaFault(source as Record<string, unknown>, null, environmentId);
  }

  /**
   * Checks references after the write, since they may have been deleted before it; now they are in use.
   * @param undo restores the former state before the fault is thrown
   */
  async confirm(
    tenant: TenantContext,
    steps: readonly Step[],
    groupId: string | undefined,
    undo: () => Promise<void>,
  ): Promise<void> {
    try {
      await this.assertReferences(tenant, steps);
      if (groupId !== undefined) await this.groups.get(tenant, groupId);
    } catch (error) {
      await undo();
      throw error;
    }
  }

  /** An unknown reference is a fault of the body: 400 with its path, not 404. */
  async assertReferences(tenant: TenantContext, steps: readonly Step[]): Promise<void> {
    const references = steps.flatMap((step, index) => [
      ...referencesOf(step, `steps.${index}`),
      ...step.variants.flatMap((variant, place) => referencesOf(variant, `steps.${index}.variants.${place}`)),
    ]);
    const idsOf = (kind: Reference['kind']): string[] =>
      references.filter((reference) => reference.kind === kind).map(({ id }) => id);
    const [feeds, layouts] = await Promise.all([
      this.existing(tenant, this.feeds, idsOf('feed')),
      this.existing(tenant, this.layouts, idsOf('layout')),
    ]);
    const faults = references
      .filter(({ kind, id }) => !(kind === 'feed' ? feeds : layouts).has(id))
      .map(({ kind, path }) => `${path}.template.${kind}Id must be the id of a ${kind} of this environment`);
    if (faults.length > 0) throw new ValidationFailed(faults);
  }

  private async existing(
    tenant: TenantContext,
    service: Pick<FeedsService, 'findExistingIds'>,
    ids: string[],
  ): Promise<Set<string>> {
    return ids.length === 0 ? new Set() : service.findExistingIds(tenant, ids);
  }
}

const LANGUAGES: Readonly<Record<CompiledPart['as'], string>> = { MJML: 'MJML', 'JSON Schema': 'a JSON Schema' };

interface PlacedTemplate {
  readonly template: StepTemplate;
  readonly path: string;
}

function templatesOf(step: Step, index: number): PlacedTemplate[] {
  return [
    { template: step.template, path: `steps.${index}` },
    ...step.variants.map(({ template }, place) => ({ template, path: `steps.${index}.variants.${place}` })),
  ];
}

function mayNeedLayout(step: SentStep): boolean {
  return hasLayout(step.template.type);
}

interface Reference {
  readonly kind: 'feed' | 'layout';
  readonly id: string;
  readonly path: string;
}

function referencesOf({ template }: Pick<Step, 'template'>, path: string): Reference[] {
  const { _feedId, _layoutId } = template;
  return [
    ...(_feedId ? [{ kind: 'feed' as const, id: _feedId.toHexString(), path }] : []),
    ...(_layoutId ? [{ kind: 'layout' as const, id: _layoutId.toHexString(), path }] : []),
  ];
}
