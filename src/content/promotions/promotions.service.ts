import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Caller, DefinedRecord, TenantContext } from '#libs/common';
import { describeError, ValidationFailed } from '#libs/http-kit';
import { EnvironmentsService } from '../../platform/environments/index.js';
import { UserSessionsService } from '../../people/users/index.js';
import { neededBy, WorkflowDefinitionsService, WorkflowNotFound } from '../workflows/index.js';
import { ContentStores } from './content-stores.js';
import type { DefinitionStore } from './definition-store.js';
import type { PreviewPromotionDto, PromoteDto } from './promotion.dto.js';
import {
  type PromotionPreviewResponse,
  type PromotionResponse,
  showPreview,
  showPromotion,
} from './promotion.response.js';
import { digestOf, keyOf, type PlannedChange, type PromotionPlan, type Refusal, titleOf } from './promotion-plan.js';
import { PromotionNeedsPerson, PromotionOutdated } from './promotions.errors.js';
import { WorkflowStores } from './workflow-stores.js';

interface Wanted {
  readonly store: DefinitionStore;
  readonly name: string;
  readonly record: DefinedRecord<object>;
}

/** Copies definitions from another environment of the caller into that of the request. */
@Injectable()
export class PromotionsService {
  /** Each kind after those that it refers to. */
  private readonly stores: readonly DefinitionStore[];

  constructor(
    private readonly environments: EnvironmentsService,
    private readonly people: UserSessionsService,
    private readonly workflows: WorkflowDefinitionsService,
    contentStores: ContentStores,
    workflowStores: WorkflowStores,
  ) {
    this.stores = [...contentStores.all, ...workflowStores.all];
  }

  /** Stores nothing. */
  async preview(caller: Caller, dto: PreviewPromotionDto): Promise<PromotionPreviewResponse> {
    return showPreview(await this.plan(caller, dto));
  }

  /** What is done before a fault stays done, and the rest is left to a further promotion. @throws {PromotionOutdated} */
  async promote(caller: Caller, { digest, ...dto }: PromoteDto): Promise<PromotionResponse> {
    const plan = await this.plan(caller, dto);
    if (plan.refusals.length > 0) throw new ValidationFailed(plan.refusals.map(({ fault }) => fault));
    if (plan.digest !== digest) throw new PromotionOutdated();
    const done: PlannedChange[] = [];
    for (const change of plan.changes) {
      try {
        done.push(await apply(caller, plan.from.name, change));
      } catch (error) {
        return showPromotion(plan, done, faultText(change, error));
      }
    }
    return showPromotion(plan, done, undefined);
  }

  private async plan(
    caller: Caller,
    { sourceEnvironmentId, workflow, prune, leaveOut }: PreviewPromotionDto,
  ): Promise<PromotionPlan> {
    const { person, environmentId } = caller;
    if (person === undefined) throw new PromotionNeedsPerson();
    assertSensible(caller, { sourceEnvironmentId, workflow, prune });
    const source = await this.people.callerIn(person, sourceEnvironmentId);
    const from = await this.environments.get(source, source.environmentId);
    const isAll = workflow === undefined || workflow === null;
    const wanted = isAll ? await this.recordsOf(source) : await this.withNeeds(source, workflow);
    const present = isAll ? await this.recordsOf(caller) : [];
    const isIn = stayingOut(leaveOut ?? [], [...wanted, ...present]);
    const { changes, unchanged, refusals } = await compare(caller, wanted.filter(isIn), present);
    const deletions = prune === true ? surplus(wanted, present).filter(isIn) : [];
    const all = [...changes, ...deletions];
    return { from, changes: all, unchanged, refusals, digest: digestOf([source.environmentId, environmentId], all) };
  }

  /** If several records of an environment have one name, as groups may, the oldest one. */
  private async recordsOf(tenant: TenantContext): Promise<Wanted[]> {
    const found = new Map<string, Wanted>();
    for (const store of this.stores) {
      for (const record of await store.records(tenant)) {
        const name = store.nameOf(record.definition);
        const key = keyOf(store, name);
        if (!found.has(key)) found.set(key, { store, name, record });
      }
    }
    return [...found.values()];
  }

  /** A workflow, after what it names. */
  private async withNeeds(source: TenantContext, identifier: string): Promise<Wanted[]> {
    const record = await this.workflows.find(source, identifier);
    if (record === undefined) throw new WorkflowNotFound(identifier);
    const needs = neededBy(record.definition);
    const wanted: Wanted[] = [];
    for (const store of this.stores) {
      if (store.kind === 'workflow') wanted.push({ store, name: identifier, record });
      const names = new Set(needs.filter(({ kind }) => kind === store.kind).map(({ name }) => name));
      if (names.size === 0) continue;
      for (const needed of await store.records(source)) {
        const name = store.nameOf(needed.definition);
        if (names.delete(name)) wanted.push({ store, name, record: needed });
      }
    }
    return wanted;
  }
}

function assertSensible({ environmentId }: TenantContext, dto: PreviewPromotionDto): void {
  const { sourceEnvironmentId, workflow, prune } = dto;
  const faults = [
    ...(sourceEnvironmentId === environmentId
      ? ['sourceEnvironmentId must be another environment than that of the request']
      : []),
    ...(prune === true && typeof workflow === 'string' ? ['prune must not be true with a workflow'] : []),
  ];
  if (faults.length > 0) throw new ValidationFailed(faults);
}

/** @returns whether a record is not among those that are left out. @throws {ValidationFailed} for names of nothing */
function stayingOut(leaveOut: readonly string[], known: readonly Wanted[]): (item: Omit<Wanted, 'record'>) => boolean {
  const keys = new Set(known.map(({ store, name }) => keyOf(store, name)));
  const faults = leaveOut.flatMap((key, at) =>
    keys.has(key) ? [] : [`leaveOut.${at} names '${key}', which neither environment has`],
  );
  if (faults.length > 0) throw new ValidationFailed(faults);
  const out = new Set(leaveOut);
  return ({ store, name }) => !out.has(keyOf(store, name));
}

async function compare(
  target: TenantContext,
  wanted: readonly Wanted[],
  present: readonly Wanted[],
): Promise<Pick<PromotionPlan, 'changes' | 'unchanged' | 'refusals'>> {
  const known = new Map(present.map(({ store, name, record }) => [keyOf(store, name), record.definition]));
  const promised = new Set(wanted.map(({ store, name }) => keyOf(store, name)));
  const changes: PlannedChange[] = [];
  const refusals: Refusal[] = [];
  let unchanged = 0;
  for (const item of wanted) {
    const { store, name, record } = item;
    if (isDeepStrictEqual(known.get(keyOf(store, name)), record.definition)) {
      unchanged += 1;
      continue;
    }
    try {
      const { outcome, before, after, missing, version } = await store.define(target, record.definition, true);
      const lacking = missing.filter((reference) => !promised.has(keyOf(reference, reference.name)));
      refusals.push(
        ...lacking.map(({ kind, name: lacks }) => ({
          store,
          name,
          fault: `${titleOf(item)} names a ${kind.replace('-', ' ')} '${lacks}', which is left out or in neither environment`,
        })),
      );
      if (outcome === 'unchanged') unchanged += 1;
      else
        changes.push({
          store,
          name,
          outcome,
          before,
          after,
          ...(record.version !== undefined && { sourceVersion: record.version }),
          ...(version !== undefined && { version }),
        });
    } catch (error) {
      refusals.push({ store, name, fault: faultText(item, error) });
    }
  }
  return { changes, unchanged, refusals };
}

/** What refers to others goes before them. */
function surplus(wanted: readonly Wanted[], present: readonly Wanted[]): PlannedChange[] {
  const keys = new Set(wanted.map(({ store, name }) => keyOf(store, name)));
  return present
    .filter(({ store, name }) => !keys.has(keyOf(store, name)))
    .map(({ store, name, record }) => ({
      store,
      name,
      outcome: 'deleted' as const,
      before: record.definition,
      after: null,
      id: record.id,
    }))
    .reverse();
}

/** @returns the change, with the version that it has made */
async function apply(target: TenantContext, from: string, change: PlannedChange): Promise<PlannedChange> {
  const { store, after, before, id = '', sourceVersion } = change;
  if (after === null) {
    await store.remove(target, id);
    return change;
  }
  const promotedFrom = sourceVersion === undefined ? from : `${from} (version ${sourceVersion})`;
  const { version } = await store.define(target, after, false, { promotedFrom, expected: before });
  return { ...change, ...(version !== undefined && { version }) };
}

/** A record that the target refuses. @throws whatever is no refusal */
function faultText(item: Pick<PlannedChange, 'store' | 'name'>, error: unknown): string {
  const { status, message } = describeError(error);
  if (status >= 500) throw error;
  return `${titleOf(item)}: ${[message].flat().join('; ')}`;
}
