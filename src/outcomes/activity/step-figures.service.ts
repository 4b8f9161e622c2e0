import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { shown } from '#libs/http-kit';
import { toObjectId } from '#libs/persistence';
import { STEP_TYPES } from '#libs/plugins';
import {
  type ResolvedStep,
  type ResolvedWorkflow,
  WorkflowNotFound,
  WorkflowsService,
  WorkflowVersionsService,
} from '../../content/workflows/index.js';
import { NotificationStore, type RunOfEvent, RunWorkflows, type StepStatus } from '../../engine/delivery/index.js';
import { MessageCounts, type TemplateCounts } from '../../engine/messages/reports/index.js';
import type { StepFiguresQuery } from './activity.dto.js';
import {
  ArmResponse,
  type MessageFiguresResponse,
  StepFiguresResponse,
  WorkflowFiguresResponse,
} from './step-figures.response.js';

const DAY_MS = 86_400_000;
/** Runs of the workflow, and messages of its environment, that one request reads: the newest count. */
const MOST = 100_000;
/** Transactions that one query names. */
const PORTION = 1_000;

type StepCount = 'completed' | 'skipped' | 'failed' | 'canceled' | 'waiting';

/** A step that was not reached does not count. */
const COUNTED_AS: Readonly<Record<Exclude<StepStatus, 'pending'>, StepCount>> = {
  queued: 'waiting',
  running: 'waiting',
  delayed: 'waiting',
  merged: 'skipped',
  completed: 'completed',
  skipped: 'skipped',
  failed: 'failed',
  canceled: 'canceled',
};

interface RunRow {
  readonly step: Types.ObjectId;
  readonly status: keyof typeof COUNTED_AS;
  readonly arm?: string;
  readonly runs: number;
}

interface Counted {
  readonly _environmentId: Types.ObjectId;
  readonly _templateId: Types.ObjectId;
  readonly createdAt: { readonly $gte: Date };
}

interface Counts {
  readonly runs: ReadonlyMap<string, readonly RunRow[]>;
  readonly messages: ReadonlyMap<string, TemplateCounts>;
}

/** What became of the steps of a workflow, and of those who took an arm. */
@Injectable()
export class StepFigures {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly messages: MessageCounts,
    private readonly workflows: WorkflowsService,
    private readonly versions: WorkflowVersionsService,
    private readonly runWorkflows: RunWorkflows,
    private readonly clock: Clock,
  ) {}

  /** @throws {WorkflowNotFound} */
  async get(
    tenant: TenantContext,
    { workflow: name, days, version }: StepFiguresQuery,
    most = MOST,
  ): Promise<WorkflowFiguresResponse> {
    const workflow = await this.workflows.findByIdOrIdentifier(tenant, name);
    if (workflow === undefined) throw new WorkflowNotFound(name);
    const environmentId = toObjectId(tenant.environmentId);
    const templateId = toObjectId(workflow.id);
    const asked = new Date(this.clock.now().getTime() - days * DAY_MS);
    const [ofRuns, ofMessages] = await Promise.all([
      this.createdAtPlace({ _environmentId: environmentId, _templateId: templateId, createdAt: { $gte: asked } }, most),
      this.messages.createdAtPlace(environmentId, asked, most),
    ]);
    // Both count from the same moment, so that their shares are right.
    const since = new Date(Math.max(asked.getTime(), ofRuns?.getTime() ?? 0, ofMessages?.getTime() ?? 0));
    const where = { _environmentId: environmentId, _templateId: templateId, createdAt: { $gte: since } };
    const { steps } = version === undefined ? workflow : await this.versions.resolve(tenant, workflow.id, version);
    const ids = steps.flatMap(contentIds);
    const { runs, messages } =
      version === undefined
        ? await this.count(where, ids)
        : await this.countOf(where, ids, { id: workflow.id, version });
    return shown(WorkflowFiguresResponse, {
      since,
      isComplete: since.getTime() === asked.getTime(),
      version,
      steps: steps.map((step) => showStep(step, steps, runs.get(step.id) ?? [], messages)),
    });
  }

  private async count(where: Counted, ids: readonly string[], transactions?: readonly string[]): Promise<Counts> {
    const [runs, messages] = await Promise.all([
      this.runsOf({ ...where, ...(transactions && { transactionId: { $in: [...transactions] } }) }),
      this.messages.ofTemplates(where._environmentId, ids, where.createdAt.$gte, transactions),
    ]);
    return { runs, messages };
  }

  /** Of one version. Runs name their events, and those the version: all messages of a transaction are of the same one. */
  private async countOf(
    where: Counted,
    ids: readonly string[],
    version: Pick<ResolvedWorkflow, 'id' | 'version'>,
  ): Promise<Counts> {
    const events = new Map<string, RunOfEvent>();
    const rows = this.notifications.collection
      .find(where)
      .project<RunOfEvent>({ _environmentId: 1, _eventId: 1, transactionId: 1 })
      .batchSize(PORTION);
    for await (const row of rows) events.set(row.transactionId, row);
    const transactions = await this.runWorkflows.transactionsOf([...events.values()], version);
    let sum: Counts = { runs: new Map(), messages: new Map() };
    for (let from = 0; from < transactions.length; from += PORTION) {
      sum = added(sum, await this.count(where, ids, transactions.slice(from, from + PORTION)));
    }
    return sum;
  }

  /** When the run at a place was created, the newest first; undefined if there are fewer. */
  private async createdAtPlace(where: object, place: number): Promise<Date | undefined> {
    const [found] = await this.notifications.collection
      .find(where)
      .sort({ createdAt: -1, _id: -1 })
      .skip(place - 1)
      .limit(1)
      .project<{ createdAt: Date }>({ createdAt: 1 })
      .toArray();
    return found?.createdAt;
  }

  /** How many runs have a step in each state, by the id of the step. */
  private async runsOf(where: object): Promise<Map<string, RunRow[]>> {
    const rows = this.notifications.collection.aggregate<RunRow>([
      { $match: where },
      { $project: { 'steps.stepId': 1, 'steps.status': 1, 'steps.output.arm': 1 } },
      { $unwind: '$steps' },
      { $match: { 'steps.status': { $ne: 'pending' } } },
      {
        $group: {
          _id: { step: '$steps.stepId', status: '$steps.status', arm: '$steps.output.arm' },
          runs: { $sum: 1 },
        },
      },
      { $replaceRoot: { newRoot: { $mergeObjects: ['$_id', { runs: '$runs' }] } } },
    ]);
    const found = new Map<string, RunRow[]>();
    for await (const row of rows) {
      const id = row.step.toHexString();
      found.set(id, [...(found.get(id) ?? []), row]);
    }
    return found;
  }
}

function added(one: Counts, other: Counts): Counts {
  const runs = new Map(one.runs);
  for (const [id, rows] of other.runs) runs.set(id, [...(runs.get(id) ?? []), ...rows]);
  const messages = new Map(one.messages);
  for (const [id, counts] of other.messages) {
    const before = messages.get(id);
    messages.set(id, before ? sumOf([before, counts]) : counts);
  }
  return { runs, messages };
}

function sumOf(counts: readonly TemplateCounts[]): TemplateCounts {
  const sum = (key: keyof TemplateCounts): number => counts.reduce((all, one) => all + one[key], 0);
  const [delivered, seen, read, clicked] = [sum('delivered'), sum('seen'), sum('read'), sum('clicked')];
  return { messages: sum('messages'), delivered, seen, read, clicked };
}

/** Messages name the step or the variant that they have their content of. */
function contentIds({ id, variants }: ResolvedStep): string[] {
  return [id, ...variants.map((variant) => variant.id)];
}

function figuresOf(
  steps: readonly ResolvedStep[],
  messages: ReadonlyMap<string, TemplateCounts>,
): MessageFiguresResponse {
  return sumOf(steps.flatMap(contentIds).flatMap((one) => messages.get(one) ?? []));
}

function showStep(
  step: ResolvedStep,
  steps: readonly ResolvedStep[],
  rows: readonly RunRow[],
  messages: ReadonlyMap<string, TemplateCounts>,
): StepFiguresResponse {
  const { id, uuid, name, template } = step;
  const counts = { completed: 0, skipped: 0, failed: 0, canceled: 0, waiting: 0 };
  for (const { status, runs } of rows) counts[COUNTED_AS[status]] += runs;
  const type = String(template.type);
  return shown(StepFiguresResponse, {
    _id: id,
    uuid,
    name,
    type,
    ...counts,
    ...figuresOf([step], messages),
    arms: STEP_TYPES.get(type)?.arms && armsOf(step, steps, rows, messages),
  });
}

function armsOf(
  { uuid, stepId, template, metadata, variants }: ResolvedStep,
  steps: readonly ResolvedStep[],
  rows: readonly RunRow[],
  messages: ReadonlyMap<string, TemplateCounts>,
): ArmResponse[] {
  const taken = new Map<string, number>();
  for (const { arm, runs } of rows) if (arm !== undefined) taken.set(arm, (taken.get(arm) ?? 0) + runs);
  const declared = STEP_TYPES.get(template.type)?.arms?.({ template, metadata, variants }) ?? [];
  // Runs of earlier versions may have taken others.
  const names = [...new Set([...declared.map(String), ...taken.keys()])];
  return names.map((name) => {
    const inArm = steps.filter(({ branch }) => branch?.arm === name && [uuid, stepId].includes(branch.step));
    return shown(ArmResponse, { name, runs: taken.get(name) ?? 0, ...figuresOf(inArm, messages) });
  });
}
