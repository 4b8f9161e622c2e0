import { Injectable } from '@nestjs/common';
import { Clock, FailPoint, type TenantContext } from '#libs/common';
import { shown, ValidationFailed } from '#libs/http-kit';
import { LineTooSlow, Turnstile, type TurnstileLimits } from '#libs/work';
import { type ResolvedWorkflow, type UpdateWorkflowDto, WorkflowsService } from '../../content/workflows/index.js';
import { type PastRun, PastRuns, type RunPlace } from '../delivery/index.js';
import { missingFromPayload, withDefaults } from '../events/index.js';
import type { ImpactQuery } from './impact.dto.js';
import { ImpactChangeResponse, ImpactResponse, showImpactOutcome } from './impact.response.js';
import { ImpactBusy } from './previews.errors.js';
import { differencesOf, outcomeOfRun, refusedOutcome, type RunOutcome } from './run-outcome.js';

const DAYS_MS = 7 * 86_400_000;
const MAX_COUNTED = 100_000;
const MAX_SAMPLE = 2_000;
/** Of one request. */
const MAX_TIME_MS = 2_000;
/** Events of these are in memory at the same time. */
const AT_ONCE = 10;

/** One more may wait for its turn. */
const ONE_AT_A_TIME: TurnstileLimits = { most: 1, hold: 2 };

/** While the runs of an environment are compared. */
export const RUNS_COMPARED = new FailPoint('impact.runs-compared');

type Versions = Awaited<ReturnType<WorkflowsService['foresee']>>;
type Figures = Omit<ImpactResponse, 'since' | 'total' | 'sample' | 'next'>;

/** Compares what a workflow and a change of it make of the runs of the last days. Stores and sends nothing. */
@Injectable()
export class ImpactService {
  private readonly turns = new Turnstile();

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly runs: PastRuns,
    private readonly clock: Clock,
  ) {}

  /** @throws {ImpactBusy} @throws {RenderingIsBusy} and what an update of the workflow throws */
  async preview(
    caller: TenantContext,
    workflowId: string,
    dto: UpdateWorkflowDto,
    query: ImpactQuery,
  ): Promise<ImpactResponse> {
    try {
      return await this.turns.through(caller.environmentId, ONE_AT_A_TIME, async () =>
        this.compare(caller, await this.workflows.foresee(caller, workflowId, dto), query),
      );
    } catch (error) {
      if (error instanceof LineTooSlow) throw new ImpactBusy();
      throw error;
    }
  }

  private async compare(
    caller: TenantContext,
    versions: Versions,
    { cursor, limit }: ImpactQuery,
  ): Promise<ImpactResponse> {
    const until = performance.now() + MAX_TIME_MS;
    const since = new Date(this.clock.now().getTime() - DAYS_MS);
    const runs = { workflowId: versions.before.id, since };
    const begun = cursor ? fromCursor(cursor) : undefined;
    if (cursor && begun === undefined) throw new ValidationFailed([NO_CURSOR]);
    const total = begun?.total ?? (await this.runs.count(caller, runs, MAX_COUNTED));
    const stride = Math.max(1, Math.ceil(total / MAX_SAMPLE));
    const places = await this.runs.places(caller, runs, { after: begun?.after, limit: limit * stride });
    if (places === undefined) throw new ValidationFailed([NO_CURSOR]);
    const sample = places.filter((_place, at) => at % stride === 0);
    const figures = noFigures();
    while (figures.lookedAt < sample.length && (figures.lookedAt === 0 || performance.now() < until)) {
      await this.compareSome(caller, versions, sample.slice(figures.lookedAt, figures.lookedAt + AT_ONCE), figures);
    }
    const isWhole = figures.lookedAt === sample.length;
    const last = isWhole ? places.at(-1) : places[figures.lookedAt * stride - 1];
    const isMore = !isWhole || places.length === limit * stride;
    return shown(ImpactResponse, {
      since,
      total,
      sample: Math.ceil(total / stride),
      ...figures,
      ...(isMore && last && { next: `${total}.${this.runs.cursorAfter(last)}` }),
    });
  }

  private async compareSome(
    caller: TenantContext,
    versions: Versions,
    places: readonly RunPlace[],
    figures: Figures,
  ): Promise<void> {
    await RUNS_COMPARED.pass();
    const found = await this.runs.read(caller, places);
    const [before, after] = [await this.outcomes(found, versions.before), await this.outcomes(found, versions.after)];
    figures.lookedAt += places.length;
    figures.notCompared += places.length - found.length;
    for (const { notificationId, subscriber } of found) {
      note(figures, { notificationId, subscriber, was: before.get(notificationId), is: after.get(notificationId) });
    }
  }

  /** By notification. Those that cannot be told are absent. */
  private async outcomes(runs: readonly PastRun[], workflow: ResolvedWorkflow): Promise<Map<string, RunOutcome>> {
    const found = new Map<string, RunOutcome>();
    for (const event of new Set(runs.map((run) => run.event))) {
      const group = runs.filter((run) => run.event === event);
      const missing = missingFromPayload(workflow, event.payload);
      if (missing.length > 0) {
        for (const { notificationId } of group) found.set(notificationId, refusedOutcome(missing));
        continue;
      }
      const recipients = group.map(({ subscriber }) => subscriber);
      const completed = { ...event, payload: withDefaults(workflow, event.payload) };
      const rehearsed = await this.runs.rehearse(completed, workflow, recipients);
      for (const { notificationId, subscriber } of group) {
        const run = rehearsed.get(subscriber._id);
        if (run !== undefined && run.run.record.status !== 'active') found.set(notificationId, outcomeOfRun(run));
      }
    }
    return found;
  }
}

interface ComparedRun extends Pick<PastRun, 'notificationId' | 'subscriber'> {
  readonly was: RunOutcome | undefined;
  readonly is: RunOutcome | undefined;
}

function note(figures: Figures, { notificationId, subscriber, was, is }: ComparedRun): void {
  if (was === undefined || is === undefined) {
    figures.notCompared += 1;
    return;
  }
  const { subscriberId } = subscriber;
  for (const difference of differencesOf(was, is)) {
    if (difference === 'reasons') figures.otherReasons += 1;
    if (difference === 'texts') figures.otherTexts += 1;
    if (difference === 'times') figures.otherTimes += 1;
    if (difference !== 'result') continue;
    const [before, after] = [showImpactOutcome(was), showImpactOutcome(is)];
    figures.changes.push(shown(ImpactChangeResponse, { notificationId, subscriberId, before, after }));
  }
}

function noFigures(): Figures {
  return { lookedAt: 0, notCompared: 0, changes: [], otherReasons: 0, otherTexts: 0, otherTimes: 0 };
}

const NO_CURSOR = "cursor must be the 'next' of the answer before";

/** With the number of runs when the first of the requests came: it decides which of them are in the sample. */
function fromCursor(cursor: string): { readonly total: number; readonly after: string } | undefined {
  const [, total, after] = /^(\d{1,6})\.([\w-]+)$/.exec(cursor) ?? [];
  if (total === undefined || after === undefined || Number(total) > MAX_COUNTED) return undefined;
  return { total: Number(total), after };
}
