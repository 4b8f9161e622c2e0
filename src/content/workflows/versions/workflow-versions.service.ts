import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { Page, type PageQuery } from '#libs/http-kit';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { ApiKeysService } from '../../../platform/auth/index.js';
import { UserSessionsService } from '../../../people/users/index.js';
import type { PortableVariant, StepVariant } from '../steps/step.schema.js';
import { definitionOf } from '../workflow-definition.js';
import type { WorkflowDefinitionDto } from '../workflow-definition.dto.js';
import { type ResolvedWorkflow, resolveWorkflow } from '../resolved-workflow.js';
import { WorkflowNames } from '../workflow-names.js';
import { Workflow } from '../workflow.schema.js';
import { WorkflowNotFound, WorkflowVersionNotFound } from '../workflows.errors.js';
import { differencesOf } from './differences.js';
import { WorkflowHistory } from '../workflow-history.js';
import {
  showVersion,
  showVersionDetails,
  type WorkflowVersionDetailsResponse,
  type WorkflowVersionResponse,
} from './workflow-version.response.js';

/** The saved states of workflows. */
@Injectable()
export class WorkflowVersionsService {
  constructor(
    @InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>,
    private readonly history: WorkflowHistory,
    private readonly names: WorkflowNames,
    private readonly keys: ApiKeysService,
    private readonly people: UserSessionsService,
  ) {}

  /** Newest first: the current state, then those before it. */
  async list(tenant: TenantContext, id: string, { page, limit }: PageQuery): Promise<Page<WorkflowVersionResponse>> {
    const current = await this.mustFind(tenant, id);
    const first = page === 0 ? [current] : [];
    const skip = page === 0 ? 0 : page * limit - 1;
    const former = await this.history.list(tenant, current, skip, limit + 1 - first.length);
    const rows = [...first, ...former];
    const keyNames = await this.keyNames(tenant, rows);
    const shown = rows.slice(0, limit).map((row) => showVersion(row, { isCurrent: row === current, keyNames }));
    return new Page(shown, page, limit, rows.length > limit);
  }

  /** */
  async get(
    tenant: TenantContext,
    id: string,
    version: number,
    since: number | undefined,
  ): Promise<WorkflowVersionDetailsResponse> {
    const current = await this.mustFind(tenant, id);
    const row = await this.mustHave(tenant, current, version);
    const other =
      since === undefined
        ? await this.history.before(tenant, current, version)
        : await this.mustHave(tenant, current, since);
    const definition = await this.describe(tenant, row);
    const former = other && (await this.describe(tenant, other));
    return showVersionDetails(row, {
      isCurrent: row === current,
      keyNames: await this.keyNames(tenant, [row]),
      definition,
      since: other?.__v ?? null,
      differences: former ? differencesOf(former, definition) : [],
    });
  }

  /** A stored version as the engine has it. */
  async resolve(tenant: TenantContext, id: string, version: number): Promise<ResolvedWorkflow> {
    return resolveWorkflow(await this.mustHave(tenant, await this.mustFind(tenant, id), version));
  }

  private async mustFind(tenant: TenantContext, id: string): Promise<Workflow> {
    const row = await this.workflows.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new WorkflowNotFound(id);
    return row;
  }

  private async mustHave(tenant: TenantContext, current: Workflow, version: number): Promise<Workflow> {
    const row = await this.history.find(tenant, current, version);
    if (row === undefined) throw new WorkflowVersionNotFound(current._id.toHexString(), version);
    return row;
  }

  /** With the `uuid` of every step, by which steps are compared. */
  private async describe(tenant: TenantContext, row: Workflow): Promise<WorkflowDefinitionDto> {
    const names = await this.names.of(tenant, [row]);
    const definition = definitionOf(row, names.group(row._notificationGroupId.toHexString()), names);
    const steps = definition.steps.map((step, index) => {
      const stored = row.steps[index];
      const variants = step.variants?.map((variant, place) => compared(variant, stored?.variants[place]));
      return { ...compared(step, stored), ...(variants && { variants }) };
    });
    return { ...definition, steps };
  }

  /** Of API keys, and of people, who have none. */
  private async keyNames(
    { environmentId }: TenantContext,
    rows: readonly Pick<Workflow, 'lastChange'>[],
  ): Promise<Map<string, string>> {
    const ids = rows.flatMap(({ lastChange }) => lastChange?.apiKeyId ?? []);
    const names = await this.keys.namesByIds(environmentId, ids);
    const people = await this.people.namesByIds(ids.filter((id) => !names.has(id)));
    return new Map([...names, ...people]);
  }
}

/** With its `uuid`, and without the empty schedule that answers show where there is none and clients send back. */
function compared<T extends PortableVariant>(shown: T, stored: StepVariant | undefined): T {
  const { metadata } = shown;
  const { timed, ...rest } = metadata ?? {};
  const isEmpty = Object.values(timed ?? {}).every((value) => Array.isArray(value) && value.length === 0);
  const kept = isEmpty ? rest : metadata;
  const named = { ...shown, uuid: stored?.uuid ?? '', metadata: kept };
  if (Object.keys(kept ?? {}).length === 0) delete named.metadata;
  return named;
}
