import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { EventIntake, EventRehearsals } from '../delivery/index.js';
import { type DryRunResponse, showDryRun, showRefusedDryRun } from './dry-run.response.js';
import { draftEvent, strayStepFaults } from './event-draft.js';
import type { DryRunEventDto } from './event.dto.js';
import { transactionIdOf } from './events.service.js';
import { RecipientReader } from './recipients.js';
import { tenantChanges, TriggerGate } from './trigger-gate.js';

/** Stores and sends nothing, but calls the webhooks of conditions. */
@Injectable()
export class DryRunService {
  constructor(
    private readonly gate: TriggerGate,
    private readonly intake: EventIntake,
    private readonly recipients: RecipientReader,
    private readonly rehearsals: EventRehearsals,
  ) {}

  /**
   * @param limit recipients to show
   * @throws what the trigger would throw @throws {RenderingIsBusy}
   */
  async run(tenant: Caller, dto: DryRunEventDto, limit: number): Promise<DryRunResponse> {
    const transactionId = transactionIdOf(dto);
    const isKnown = transactionId === dto.transactionId && (await this.intake.find(tenant, transactionId)) !== null;
    if (isKnown) return showRefusedDryRun({ status: 'processed', reason: ALREADY_PROCESSED });
    const judged = await this.gate.judge(tenant, dto);
    if ('status' in judged) return showRefusedDryRun(judged);
    const waits = dto.waits ?? {};
    const strays = strayStepFaults(judged.workflow, waits, 'waits');
    if (strays.length > 0) throw new ValidationFailed(strays);
    const recipients = await this.recipients.read(tenant, dto.to);
    const { event, files } = await draftEvent(tenant, dto, { open: judged, recipients, transactionId });
    const { workflow, found } = judged;
    const after = found && { ...found, ...tenantChanges(found, dto.tenant) };
    const asked = { event, workflow, choices: { waits }, ...(after && { tenant: after }) };
    const rehearsed = await this.rehearsals.rehearse(asked, limit);
    return showDryRun({ workflow, event, files, ...rehearsed });
  }
}

const ALREADY_PROCESSED =
  'An event with this transactionId was accepted before, so the trigger returns its first response and does nothing.';
