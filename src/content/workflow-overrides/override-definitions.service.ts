import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  type DefinedRecord,
  type DefinitionChange,
  definitionChange,
  isChange,
  type TenantContext,
} from '#libs/common';
import { Page, type PageQuery, ValidationFailed } from '#libs/http-kit';
import { OLDEST_FIRST, onDuplicateKey, ownedBy, type TenantModel, untilWritten } from '#libs/persistence';
import { TenantsService } from '../../audience/tenants/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { givenSwitches } from './effective-override.js';
import type { WorkflowOverrideDefinitionDto } from './workflow-override.dto.js';
import { WorkflowOverride } from './workflow-override.schema.js';

type Settings = Pick<WorkflowOverride, 'active' | 'preferenceSettings'>;
type Pair = Pick<WorkflowOverrideDefinitionDto, 'workflow' | 'tenant'>;

@Injectable()
export class OverrideDefinitionsService {
  constructor(
    @InjectModel(WorkflowOverride.name) private readonly overrides: TenantModel<WorkflowOverride>,
    private readonly workflows: WorkflowsService,
    private readonly tenants: TenantsService,
  ) {}

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<DefinedRecord<WorkflowOverrideDefinitionDto>>> {
    const { rows, hasMore } = await this.overrides.page(tenant, {}, { ...query, sort: OLDEST_FIRST });
    const [workflows, tenants] = await Promise.all([
      this.workflows.findByIds(
        tenant,
        rows.map(({ _workflowId }) => _workflowId.toHexString()),
      ),
      this.tenants.identifiersByIds(
        tenant,
        rows.map(({ _tenantId }) => _tenantId.toHexString()),
      ),
    ]);
    const records = rows.flatMap((row) => {
      const workflow = workflows.get(row._workflowId.toHexString())?.identifier;
      const of = tenants.get(row._tenantId.toHexString());
      // It is about to be deleted with its workflow or tenant.
      if (workflow === undefined || of === undefined) return [];
      return [{ id: row._id.toHexString(), definition: definitionOf({ workflow, tenant: of }, row) }];
    });
    return new Page(records, query.page, query.limit, hasMore);
  }

  /**
   * One write.
   * @param isDryRun only reports what would happen and a missing workflow
   */
  async define(
    tenant: TenantContext,
    dto: WorkflowOverrideDefinitionDto,
    isDryRun: boolean,
  ): Promise<DefinitionChange<WorkflowOverrideDefinitionDto>> {
    const settings = settingsOf(dto);
    const after = definitionOf(dto, settings);
    const [workflow, record] = await Promise.all([
      this.workflows.findByIdOrIdentifier(tenant, dto.workflow),
      this.tenants.findByIdentifier(tenant, dto.tenant),
    ]);
    if (record === undefined) {
      throw new ValidationFailed([
        `tenant must be the identifier of a tenant of this environment, which has no '${dto.tenant}': create it with POST /v1/tenants`,
      ]);
    }
    if (workflow === undefined) {
      if (isDryRun) return definitionChange(null, after, [{ kind: 'workflow', name: dto.workflow, path: 'workflow' }]);
      throw new ValidationFailed(['workflow must be the trigger identifier of a workflow of this environment']);
    }
    const filter = { _environmentId: tenant.environmentId, _workflowId: workflow.id, _tenantId: record._id };
    return untilWritten(async () => {
      const before = await this.overrides.findOne(filter).lean().exec();
      const change = definitionChange(before && definitionOf(dto, before), after);
      if (!isChange(change, isDryRun)) return change;
      const isWritten = before === null ? this.create(tenant, filter, settings) : this.replace(filter, settings);
      return (await isWritten) ? change : undefined;
    });
  }

  /** @returns false if another request created the override at the same time */
  private create(tenant: TenantContext, filter: object, settings: Settings): Promise<boolean> {
    return this.overrides.create({ ...ownedBy(tenant), ...filter, ...settings }).then(
      () => true,
      onDuplicateKey(() => false),
    );
  }

  /** @returns false if the override was deleted after it was read */
  private async replace(filter: { _environmentId: string }, settings: Settings): Promise<boolean> {
    const absent = (['active', 'preferenceSettings'] as const).filter((field) => settings[field] === undefined);
    const { matchedCount } = await this.overrides.updateOne(filter, {
      ...(Object.keys(settings).length > 0 && { $set: settings }),
      ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map((field) => [field, 1])) }),
    });
    return matchedCount === 1;
  }
}

function settingsOf({ active, preferenceSettings }: WorkflowOverrideDefinitionDto): Settings {
  const switches = preferenceSettings ? givenSwitches(preferenceSettings) : {};
  return {
    ...(typeof active === 'boolean' && { active }),
    ...(Object.keys(switches).length > 0 && { preferenceSettings: switches }),
  };
}

function definitionOf({ workflow, tenant }: Pair, row: Settings): WorkflowOverrideDefinitionDto {
  return { workflow, tenant, ...settingsOf(row as WorkflowOverrideDefinitionDto) };
}
