import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '#libs/http-kit';
import { FailPoint, type TenantContext } from '#libs/common';
import { Rendering, RenderingBusy, TemplateError } from '#libs/templates';
import { isObject } from '#libs/validation';
import { FeedsService } from '../feeds/index.js';
import { LayoutsService } from '../layouts/index.js';
import { NotificationGroupsService } from '../notification-groups/index.js';
import { assertRunnable, isWithoutContent } from './steps/assert-runnable.js';
import { buildSteps, type StepContext } from './steps/build-steps.js';
import type { SentStep, Step, StepTemplate } from './steps/step.schema.js';

/** Between the check of references and the write of the workflow. */
export const STEPS_CHECKED = new FailPoint('workflow.steps-checked');

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
    context: Omit<StepContext, 'defaultLayoutId'>,
  ): Promise<Step[]> {
    const defaultLayoutId = sent.some(mayNeedLayout) ? await this.layouts.findDefaultId(tenant) : undefined;
    const steps = buildSteps(sent, { ...context, ...(defaultLayoutId !== undefined && { defaultLayoutId }) });
    await this.assertReferences(tenant, steps);
    await this.assertCompilable(tenant, steps);
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
  async buildComplete(tenant: TenantContext, sent: readonly SentStep[], existing: readonly Step[]): Promise<Step[]> {
    const steps = buildSteps(sent, { existing, isComplete: true });
    await this.assertCompilable(tenant, steps);
    assertRunnable(steps);
    await STEPS_CHECKED.pass();
    return steps;
  }

  /**
   * Compiles MJML and the schemas of requests in a thread. What cannot be checked now is checked when the step runs.
   * @throws {ValidationFailed}
   */
  private async assertCompilable(tenant: TenantContext, steps: readonly Step[]): Promise<void> {
    const faults: string[] = [];
    for (const { template, path } of steps.flatMap(templatesOf)) {
      const { type, contentType, content, responseBodySchema: schema } = template;
      try {
        if (type === 'email' && contentType === 'mjml' && typeof content === 'string' && !isWithoutContent(template)) {
          await this.rendering.assertMjml(content, tenant.environmentId);
        } else if (type === 'http_request' && isObject(schema)) {
          await this.rendering.schemaFault(schema, null, tenant.environmentId);
        }
      } catch (error) {
        if (error instanceof RenderingBusy) return;
        if (!(error instanceof TemplateError)) throw error;
        const [member, kind] = type === 'http_request' ? ['responseBodySchema', 'a JSON Schema'] : ['content', 'MJML'];
        faults.push(`${path}.template.${member} is not ${kind}: ${error.message}`);
      }
    }
    if (faults.length > 0) throw new ValidationFailed(faults);
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
  return step.template.type === 'email';
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
