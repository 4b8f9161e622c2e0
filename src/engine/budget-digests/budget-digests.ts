import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import { type ResolvedWorkflow, WorkflowsService } from '../../content/workflows/index.js';
import { BudgetDigestDue, BudgetDigestRefused, EventIntake } from '../delivery/index.js';
import { eventOf, missingFromPayload, refusalStatus, TRIGGER_HINTS } from '../events/index.js';

/** Triggers the workflows that bring what budgets have held. */
@Injectable()
export class BudgetDigests {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly intake: EventIntake,
  ) {}

  /** @throws {BudgetDigestRefused} */
  @OnDomainEvent(BudgetDigestDue)
  async trigger(due: BudgetDigestDue): Promise<void> {
    const { tenant, digest } = due;
    const { subscriberId, subscriberRecordId, transactionId, payload } = digest;
    const workflow = await this.workflows.resolve(tenant, digest.workflow);
    assertRunnable(workflow, digest);
    const recipients = { list: [{ subscriberId }], topics: [] };
    const event = eventOf(tenant, workflow, { transactionId, recipients, payload });
    // A digest of messages of several tenants belongs to none.
    const [of, ...others] = new Set(payload.messages.map((message) => message.tenant));
    const marks = {
      ...(of !== undefined && others.length === 0 && { tenant: of }),
      forThisEventOnly: true,
      ofBudget: payload.budget.id,
      forRecord: toObjectId(subscriberRecordId),
    } as const;
    await this.intake.accept(tenant, { event: { ...event, ...marks }, files: [], workflow });
    due.isAccepted = true;
  }
}

function assertRunnable(
  workflow: ResolvedWorkflow | undefined,
  { workflow: identifier, payload }: BudgetDigestDue['digest'],
): asserts workflow is ResolvedWorkflow {
  if (workflow === undefined) throw new BudgetDigestRefused(`There is no workflow '${identifier}'.`);
  const status = refusalStatus(workflow, workflow.active);
  if (status !== undefined) throw new BudgetDigestRefused(TRIGGER_HINTS[status]());
  const missing = missingFromPayload(workflow, payload);
  if (missing.length > 0) {
    throw new BudgetDigestRefused(`The workflow requires values that a digest does not have: ${missing.join(', ')}.`);
  }
}
