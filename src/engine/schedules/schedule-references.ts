import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { SegmentsService } from '../../audience/segments/index.js';
import { TopicsService } from '../../audience/topics/index.js';
import { WorkflowsService } from '../../content/workflows/index.js';
import type { CreateScheduleDto } from './schedule.dto.js';

type References = Pick<CreateScheduleDto, 'workflow' | 'subscribers' | 'topics' | 'segments'>;

/** What a schedule names has to exist when it is written. */
@Injectable()
export class ScheduleReferences {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly topics: TopicsService,
    private readonly segments: SegmentsService,
  ) {}

  /** @throws {ValidationFailed} */
  async assert(tenant: TenantContext, { workflow, subscribers, ...groups }: References): Promise<void> {
    const keys = groups.topics ?? [];
    const ids = groups.segments ?? [];
    const [known, topics, segments] = await Promise.all([
      this.workflows.resolve(tenant, workflow),
      keys.length === 0 ? new Set<string>() : this.topics.findExistingKeys(tenant, keys),
      this.segments.findExisting(tenant, ids),
    ]);
    const isForNobody = (subscribers ?? []).length + keys.length + ids.length === 0;
    const faults = [
      ...(known === undefined ? ['workflow must be the trigger identifier of a workflow of this environment'] : []),
      ...(isForNobody ? ['subscribers, topics or segments must name at least one'] : []),
      ...keys.flatMap((key, place) =>
        topics.has(key) ? [] : [`topics.${place} must be the key of a topic; create it with POST /v1/topics`],
      ),
      ...ids.flatMap((id, place) =>
        segments.has(id) ? [] : [`segments.${place} must be the id of a segment; create it with POST /v1/segments`],
      ),
    ];
    if (faults.length > 0) throw new ValidationFailed(faults);
  }
}
