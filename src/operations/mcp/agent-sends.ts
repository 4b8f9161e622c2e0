import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type Caller, Clock } from '#libs/common';
import { AppException, ValidationFailed } from '#libs/http-kit';
import { withoutNullish } from '#libs/persistence';
import { isOpen, nextOpening, zoneOf } from '#libs/schedule';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { type AgentRequest, CreateQuestionDto, QuestionsService } from '../../engine/questions/index.js';
import { type AgentLimits, ApiKeysService } from '../../platform/auth/index.js';
import { AgentUses, type Size } from './agent-uses.js';
import { AgentIsQuiet, TooManyForAgent } from './mcp.errors.js';
import { inputOf, type ToolAnswer } from './tool.js';

const DAY_SECONDS = 86_400;
/** Notifications that are replayed at once, whatever the key allows: those of one page. */
export const MAX_AT_ONCE = 100;

const ASKED = { action: 'createQuestion', resource: 'question' };

/** What an agent wants to send. */
interface Wish extends Pick<AgentRequest, 'operation'> {
  /** External ids of the recipients. */
  readonly to: readonly string[];
  /** What the operation takes, without the recipients. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly workflow?: string;
  /** A transaction id of the agent's own. */
  readonly result?: string | undefined;
  /** Before a person is asked. @throws what the operation would throw */
  readonly check?: () => Promise<unknown>;
}

interface Replayed {
  readonly count: number;
  /** Records of the subscribers, one for each notification. */
  readonly people: () => Promise<readonly string[]>;
}

interface Recipient {
  readonly _id: string;
  readonly subscriberId: string;
}

/** Sends for agents within the limits of their keys. What is larger waits for a person. */
@Injectable()
export class AgentSends {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly uses: AgentUses,
    private readonly subscribers: SubscribersService,
    private readonly questions: QuestionsService,
    private readonly clock: Clock,
  ) {}

  /** @throws {ValidationFailed} for subscribers that do not exist */
  async recipientsOf(caller: Caller, ids: readonly string[]): Promise<Recipient[]> {
    const to = [...new Set(ids)];
    const known = await this.subscribers.findByExternalIds(caller, to);
    const unknown = to.filter((id) => !known.has(id));
    if (unknown.length > 0) throw new ValidationFailed(unknown.map((id) => `to: there is no subscriber '${id}'`));
    return [...known.values()];
  }

  /**
   * @param work sends
   * @throws {AgentIsQuiet} @throws {AgentLimitReached} @throws {ValidationFailed}
   */
  async send(caller: Caller, wish: Wish, work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const recipients = await this.recipientsOf(caller, wish.to);
    const limits = await this.openLimitsOf(caller);
    if (recipients.length > limits.approvalAbove) {
      await wish.check?.();
      return this.askPerson(caller, limits, wish, recipients);
    }
    return this.within(caller, limits, sizeOf(recipients.map(({ _id }) => _id)), work);
  }

  /**
   * What cannot wait for a person.
   * @throws {TooManyForAgent} @throws {AgentIsQuiet} @throws {AgentLimitReached}
   */
  async sendAtOnce(caller: Caller, { count, people }: Replayed, work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const limits = await this.openLimitsOf(caller);
    const max = Math.min(limits.approvalAbove, MAX_AT_ONCE);
    if (count > max) throw new TooManyForAgent(count, max);
    return this.within(caller, limits, sizeOf(await people()), work);
  }

  private async openLimitsOf(caller: Caller): Promise<AgentLimits> {
    const limits = await this.keys.limitsOf(caller);
    if (limits.sendWindow === undefined) return limits;
    const { weeklySchedule: week, timezone } = limits.sendWindow;
    const opening = { week, zone: zoneOf(withoutNullish({ timezone })) };
    const now = this.clock.now();
    if (!isOpen(opening, now)) throw new AgentIsQuiet(nextOpening([opening], now)?.toISOString());
    return limits;
  }

  private async within(
    caller: Caller,
    limits: AgentLimits,
    size: Size,
    work: () => Promise<ToolAnswer>,
  ): Promise<ToolAnswer> {
    const giveBack = await this.uses.take(caller, limits, size);
    try {
      return await work();
    } catch (error) {
      // Otherwise it may have been sent.
      if (error instanceof AppException && error.status < 500) await giveBack();
      throw error;
    }
  }

  /** Those who are asked get messages, which count, also where only people of the console are asked. */
  private async askPerson(
    caller: Caller,
    limits: AgentLimits,
    wish: Wish,
    recipients: readonly Recipient[],
  ): Promise<ToolAnswer> {
    const approvers = await this.subscribers.findByExternalIds(caller, limits.approvers);
    const id = new Types.ObjectId();
    const isEvent = wish.operation === 'triggerEvent';
    const { name: agent } = await this.keys.get(caller.environmentId, caller.apiKeyId);
    const request: AgentRequest = {
      operation: wish.operation,
      agent,
      count: recipients.length,
      ...(wish.workflow !== undefined && { workflow: wish.workflow }),
      result: wish.result ?? (isEvent ? `agent:${id.toHexString()}` : new Types.ObjectId().toHexString()),
      body: withoutNullish(wish.body),
      recipients: recipients.map(({ _id, subscriberId }) => ({ _id: new Types.ObjectId(_id), subscriberId })),
    };
    const size = sizeOf([...approvers.values()].map(({ _id }) => _id));
    return this.within(caller, limits, { ...size, notifications: Math.max(1, size.notifications) }, async () => {
      const dto = await inputOf(CreateQuestionDto, 'body', {
        title: titleOf(request),
        body: 'The console has the recipients and the content, under Questions.',
        subscribers: [...approvers.keys()],
        expiresIn: DAY_SECONDS,
        default: 'refuse',
      });
      const { _id, expiresAt } = await this.questions.create(caller, dto, { id, request });
      const { result } = request;
      const next = `Nothing is sent yet: a person has to say yes until expiresAt. Read it with question; ${isEvent ? 'get_event has' : 'question also reads'} the result.`;
      return {
        data: { status: 'waits_for_person', question: _id, result, expiresAt, next },
        about: { id: _id },
        instead: ASKED,
      };
    });
  }
}

/** @param people one for each notification */
function sizeOf(people: readonly string[]): Size {
  return { notifications: people.length, people: [...new Set(people)] };
}

function titleOf({ agent, operation, workflow, count }: AgentRequest): string {
  const what = operation === 'triggerEvent' ? `trigger ${workflow ?? ''} for` : 'ask';
  return `May the agent ${agent} ${what} ${count} ${count === 1 ? 'person' : 'people'}?`;
}
