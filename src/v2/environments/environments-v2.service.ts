import { Injectable } from '@nestjs/common';
import type { Caller, TenantContext } from '#libs/common';
import { shown, ValidationFailed } from '#libs/http-kit';
import {
  PromotionNeedsPerson,
  type PromotionPreviewResponse,
  PromotionsService,
} from '../../content/promotions/index.js';
import { WorkflowsService } from '../../content/workflows/index.js';
import { UserSessionsService } from '../../people/users/index.js';
import { assertScope } from '../../platform/auth/index.js';
import { EnvironmentNotFound, EnvironmentsService } from '../../platform/environments/index.js';
import { WorkflowsV2Service, type WorkflowV2Response } from '../workflows/index.js';
import type { DiffEnvironmentDto, PublishEnvironmentDto, ResourceToPublish } from './environments-v2.dto.js';
import {
  type EnvironmentDiffResponse,
  type EnvironmentPublishResponse,
  EnvironmentTagResponse,
  showDiff,
  showPublished,
} from './environments-v2.response.js';

const PAGE_SIZE = 100;

/** What later clients call publishing, as promotions: for people, as a key belongs to one environment. */
@Injectable()
export class EnvironmentsV2Service {
  constructor(
    private readonly promotions: PromotionsService,
    private readonly people: UserSessionsService,
    private readonly environments: EnvironmentsService,
    private readonly workflows: WorkflowsService,
    private readonly workflowsV2: WorkflowsV2Service,
  ) {}

  /** @throws {EnvironmentNotFound} for another environment than that of the request */
  async tags(tenant: TenantContext, environmentId: string): Promise<EnvironmentTagResponse[]> {
    if (environmentId !== tenant.environmentId) throw new EnvironmentNotFound(environmentId);
    const tags = new Set<string>();
    for (let page = 0, hasMore = true; hasMore; page += 1) {
      const found = await this.workflows.list(tenant, { page, limit: PAGE_SIZE });
      for (const workflow of found.data) for (const tag of workflow.tags) tags.add(tag);
      hasMore = found.hasMore;
    }
    return [...tags].sort().map((name) => shown(EnvironmentTagResponse, { name }));
  }

  async diff(caller: Caller, targetId: string, dto: DiffEnvironmentDto): Promise<EnvironmentDiffResponse> {
    const target = await this.callerIn(caller, targetId);
    const sourceEnvironmentId = sourceOf(caller, targetId, dto);
    return showDiff(await this.promotions.preview(target, { sourceEnvironmentId }), sourceEnvironmentId, targetId);
  }

  /** Nothing is deleted. What cannot be published does not keep the rest from it. */
  async publish(caller: Caller, targetId: string, dto: PublishEnvironmentDto): Promise<EnvironmentPublishResponse> {
    const target = await this.callerIn(caller, targetId);
    const sourceEnvironmentId = sourceOf(caller, targetId, dto);
    const all = await this.promotions.preview(target, { sourceEnvironmentId });
    const failed = all.refusals.filter(isWanted(dto.resources));
    const leaveOut = [
      ...new Set(
        [...all.refusals, ...all.changes.filter((one) => !isWanted(dto.resources)(one))].map(({ key }) => key),
      ),
    ];
    const wanted = { sourceEnvironmentId, leaveOut };
    const preview = await this.promotions.preview(target, wanted);
    if (dto.dryRun === true) return showPublished({ done: preview.changes, failed });
    return this.promote(target, { ...wanted, digest: preview.digest }, failed);
  }

  /** One workflow, with what it names, into another environment. */
  async sync(caller: Caller, workflowId: string, targetId: string): Promise<WorkflowV2Response> {
    const target = await this.callerIn(caller, targetId);
    const { workflowId: workflow } = await this.workflowsV2.get(caller, workflowId);
    const wanted = { sourceEnvironmentId: caller.environmentId, workflow };
    const { digest, faults } = await this.promotions.preview(target, wanted);
    if (faults.length > 0) throw new ValidationFailed(faults);
    assertScope(target, 'write');
    const { fault } = await this.promotions.promote(target, { ...wanted, digest });
    if (fault !== undefined) throw new ValidationFailed([fault]);
    return this.workflowsV2.get(target, workflow);
  }

  private async promote(
    target: Caller,
    wanted: Parameters<PromotionsService['promote']>[1],
    refused: PromotionPreviewResponse['refusals'],
  ): Promise<EnvironmentPublishResponse> {
    assertScope(target, 'write');
    const { changes, fault } = await this.promotions.promote(target, wanted);
    const rest = fault === undefined ? [] : [{ kind: 'promotion', name: 'the rest', fault }];
    return showPublished({ done: changes, failed: [...refused, ...rest] });
  }

  /** @throws {PromotionNeedsPerson} @throws {EnvironmentNotFound} @throws {EnvironmentClosed} */
  private async callerIn(caller: Caller, environmentId: string): Promise<Caller> {
    if (caller.person === undefined) throw new PromotionNeedsPerson();
    await this.environments.get(caller, environmentId);
    return this.people.callerIn(caller.person, environmentId);
  }
}

function sourceOf({ environmentId }: Caller, targetId: string, { sourceEnvironmentId }: DiffEnvironmentDto): string {
  const source = sourceEnvironmentId ?? environmentId;
  if (source === targetId)
    throw new ValidationFailed(['sourceEnvironmentId must be another environment than the target']);
  return source;
}

function isWanted(resources: readonly ResourceToPublish[] | null | undefined) {
  return ({ kind, name }: { readonly kind: string; readonly name: string }): boolean =>
    !resources?.length || resources.some((one) => one.resourceType === kind && one.resourceId === name);
}
