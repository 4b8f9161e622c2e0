import { Injectable } from '@nestjs/common';
import { type Caller, Clock, CLOCK_SKEW_MS } from '#libs/common';
import { AppException } from '#libs/http-kit';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { TenantsService } from '../../audience/tenants/index.js';
import { RecipientLinks } from '../../platform/recipient-links/index.js';
import { EventsService, parseRecipients, TriggerEventDto } from '../events/index.js';
import { optionsOf } from './question-rules.js';
import type { AskedWave, Question, QuestionPerson } from './question.schema.js';

const REMINDER = 'reminder';

/** Sends questions as events of a workflow, each once: its transaction id follows from the question. */
@Injectable()
export class QuestionAsking {
  constructor(
    private readonly events: EventsService,
    private readonly subscribers: SubscribersService,
    private readonly tenants: TenantsService,
    private readonly integrations: IntegrationsService,
    private readonly links: RecipientLinks,
    private readonly clock: Clock,
  ) {}

  /** Asks the next wave. @throws if the store is not available */
  ask(row: Question): Promise<AskedWave> {
    const wave = row.asked.length;
    return this.send(
      row,
      String(wave + 1),
      row.people.filter((person) => person.wave === wave),
    );
  }

  /** Those who are asked, and have not answered. @throws if the store is not available */
  remind(row: Question): Promise<AskedWave> {
    const answered = new Set(row.answers.map(({ _subscriberId }) => _subscriberId.toHexString()));
    const silent = row.people.filter(({ _id, wave }) => wave < row.asked.length && !answered.has(_id.toHexString()));
    return this.send(row, REMINDER, silent);
  }

  /**
   * Ends the asking. A worker that stands still may be about to send what is due and not recorded: an event without recipients takes
   * the id, so that what it sends later is not accepted. What is recorded was sent, whatever the clock says by now.
   * @returns the ids of all events that may carry messages
   */
  async stop(row: Question): Promise<string[]> {
    const soon = new Date(this.clock.now().getTime() + CLOCK_SKEW_MS);
    const sent = partsOf(row).filter(({ at, isRecorded }) => isRecorded || (at !== undefined && at <= soon));
    for (const { part, isRecorded } of sent) if (!isRecorded) await this.accept(row, part, []);
    return sent.map(({ part }) => transactionId(row._id, part));
  }

  private async send(row: Question, part: string, people: readonly QuestionPerson[]): Promise<AskedWave> {
    const caller = callerOf(row);
    // Whoever has the id of a deleted subscriber later is not asked.
    const known = await this.subscribers.findByIds(
      caller,
      people.map(({ _id }) => _id.toHexString()),
    );
    const to = people.flatMap(({ _id }) => known.get(_id.toHexString())?.subscriberId ?? []);
    if (to.length === 0) return { at: this.clock.now(), status: 'nobody' };
    return this.accept(row, part, to);
  }

  private async accept(row: Question, part: string, to: readonly string[]): Promise<AskedWave> {
    const at = this.clock.now();
    const caller = callerOf(row);
    // People are asked all the same when it was deleted since.
    const tenant = row.tenant === undefined ? undefined : await this.tenants.findByIdentifier(caller, row.tenant);
    const event = new TriggerEventDto();
    event.name = row.workflow;
    event.to = { ...parseRecipients(to), faults: [] };
    event.payload = { ...row.payload, question: await this.shown(row, part, tenant?.publicUrl) };
    if (tenant !== undefined) event.tenant = tenant.identifier;
    event.transactionId = transactionId(row._id, part);
    try {
      const marks = { question: row._id, depth: row.depth };
      const { status, hint, transactionId: id } = await this.events.triggerAt(caller, event, marks);
      return { at, transactionId: id, status, ...(status !== 'processed' && hint !== undefined && { error: hint }) };
    } catch (error) {
      if (!(error instanceof AppException) || error.status >= 500) throw error;
      const text = [error.messages].flat().join('; ').slice(0, 1_000);
      return { at, transactionId: event.transactionId, status: 'error', error: text };
    }
  }

  /** What the templates of the workflow have as `question`. */
  private async shown(row: Question, part: string, address: string | undefined): Promise<Record<string, unknown>> {
    const { _id, title, body = '', kind } = row;
    const options = optionsOf(row);
    const [primary, secondary] = options;
    const hasLinks = this.links.at(address) !== undefined;
    return {
      id: _id.toHexString(),
      title,
      body,
      kind,
      options,
      expiresAt: row.expiresAt.toISOString(),
      isReminder: part === REMINDER,
      // Messages have two buttons at most.
      hasButtons: options.length === 2,
      hasLink: hasLinks && options.length !== 2,
      hasMail: hasLinks && (await this.integrations.hasActive(callerOf(row), 'email')),
      hasChat: hasLinks && (await this.integrations.hasActive(callerOf(row), 'chat')),
      hasPush: hasLinks && (await this.integrations.hasActive(callerOf(row), 'push')),
      ...(options.length === 2 && { primary: primary?.label, secondary: secondary?.label }),
    };
  }
}

/** The ids of the events that carry its messages so far. */
export function sentEvents(row: Question): string[] {
  return partsOf(row).flatMap(({ part, isRecorded }) => (isRecorded ? [transactionId(row._id, part)] : []));
}

/** What is sent of a question, each as an event of its own. */
function partsOf({ waves, asked, remindAt, reminded }: Question) {
  return [
    ...waves.map((at, wave) => ({ part: String(wave + 1), at, isRecorded: wave < asked.length })),
    { part: REMINDER, at: remindAt, isRecorded: reminded !== undefined },
  ];
}

function transactionId(id: Question['_id'], part: string): string {
  return `question:${id.toHexString()}:${part}`;
}

export function callerOf({ _organizationId, _environmentId, by }: Question): Caller {
  return {
    organizationId: _organizationId.toHexString(),
    environmentId: _environmentId.toHexString(),
    apiKeyId: by.apiKeyId,
    userId: by.userId,
    scopes: by.scopes,
  };
}
