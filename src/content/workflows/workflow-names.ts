import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { MissingReference, TenantContext } from '#libs/common';
import { FeedsService } from '../feeds/index.js';
import { LayoutsService } from '../layouts/index.js';
import { NotificationGroupsService } from '../notification-groups/index.js';
import { type IdsByName, type NamedReference, namedReferences, type NamesById } from './portable-steps.js';
import type { WorkflowDefinitionDto } from './workflow-definition.dto.js';
import type { Workflow } from './workflow.schema.js';

export type Names = NamesById & { readonly group: (id: string) => string };

interface FoundReferences {
  readonly groupId: string;
  readonly ids: IdsByName;
  readonly names: NamesById;
  readonly missing: readonly MissingReference[];
}

@Injectable()
export class WorkflowNames {
  constructor(
    private readonly groups: NotificationGroupsService,
    private readonly feeds: FeedsService,
    private readonly layouts: LayoutsService,
  ) {}

  async of(tenant: TenantContext, rows: readonly Workflow[]): Promise<Names> {
    const templates = rows.flatMap(({ steps }) =>
      steps.flatMap(({ template, variants }) => [template, ...variants.map((variant) => variant.template)]),
    );
    const [groups, feeds, layouts] = await Promise.all([
      this.groups.findByIds(tenant, unique(rows.map(({ _notificationGroupId }) => _notificationGroupId))),
      this.feeds.identifiersByIds(tenant, unique(templates.flatMap(({ _feedId }) => _feedId ?? []))),
      this.layouts.identifiersByIds(tenant, unique(templates.flatMap(({ _layoutId }) => _layoutId ?? []))),
    ]);
    return { group: (id) => groups.get(id)?.name ?? '', ...lookUp(feeds, layouts) };
  }

  /** Missing records get an unused id, so that a dry run can show the result. */
  async find(
    tenant: TenantContext,
    { notificationGroup, steps }: Pick<WorkflowDefinitionDto, 'notificationGroup' | 'steps'>,
  ): Promise<FoundReferences> {
    const references = namedReferences(steps);
    const namesOf = (wanted: NamedReference['kind']): string[] => [
      ...new Set(references.filter(({ kind }) => kind === wanted).map(({ name }) => name)),
    ];
    const [group, feed, layout] = await Promise.all([
      this.groups.findByName(tenant, notificationGroup),
      this.feeds.idsByIdentifiers(tenant, namesOf('feed')),
      this.layouts.idsByIdentifiers(tenant, namesOf('layout')),
    ]);
    const known = { feed, layout };
    const missing = references.filter(({ kind, name }) => !known[kind].has(name));
    for (const { kind, name } of missing) known[kind].set(name, newId());
    const noGroup = { kind: 'notification-group', name: notificationGroup, path: 'notificationGroup' } as const;
    return {
      groupId: group?._id ?? newId(),
      ids: lookUp(feed, layout),
      names: lookUp(reversed(feed), reversed(layout)),
      missing: group === undefined ? [noGroup, ...missing] : missing,
    };
  }
}

/** The maps contain every requested key. */
function lookUp(feeds: ReadonlyMap<string, string>, layouts: ReadonlyMap<string, string>): NamesById & IdsByName {
  return { feed: (key) => feeds.get(key) ?? '', layout: (key) => layouts.get(key) ?? '' };
}

function reversed(map: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...map].map(([key, value]) => [value, key]));
}

function newId(): string {
  return new Types.ObjectId().toHexString();
}

function unique(ids: readonly Types.ObjectId[]): string[] {
  return [...new Set(ids.map((id) => id.toHexString()))];
}
