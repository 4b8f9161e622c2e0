import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { Clock, type TenantContext } from '#libs/common';
import {
  AppLogger,
  type DescribedError,
  describeError,
  ErrorAnswers,
  type HttpReply,
  type HttpRequest,
  NAME_LENGTH,
} from '#libs/http-kit';
import { Background } from '#libs/work';
import { ApiKeysService, keyHeadersOf } from '../../platform/auth/index.js';
import { clientFaults } from './client-faults.js';
import { transactionIdOf } from './events.service.js';
import { PerSecond, type Refusal, RefusedTriggers } from './refused-triggers.js';
import { TRIGGER_HINTS } from './trigger-hints.js';

/** Each costs a read. Callers without a valid key choose how many there are. */
const FORMER_KEYS_PER_SECOND = 10;

/**
 * Records the triggers that are answered with an error of the caller: guards, the reading of the body, the pipe and the
 * handler all throw here. The answer does not wait for the record.
 */
@Catch()
@Injectable()
export class RefusedTriggerFilter implements ExceptionFilter {
  private readonly background: Background;
  private readonly formerKeys = new PerSecond(FORMER_KEYS_PER_SECOND);

  constructor(
    private readonly answers: ErrorAnswers,
    private readonly refused: RefusedTriggers,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
    logger: AppLogger,
  ) {
    this.background = new Background((error) => logger.error(error, 'RefusedTriggers'));
  }

  catch(thrown: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const error = describeError(thrown, request.method);
    if (error.status < 500) this.background.start(() => this.record(request, error));
    this.answers.answer(
      thrown,
      request,
      http.getResponse<HttpReply>(),
      error.status === 400 ? clientFaults(error) : {},
    );
  }

  private async record(request: HttpRequest, error: DescribedError): Promise<void> {
    const tenant = request.tenant ?? (await this.formerOwner(request));
    if (tenant === undefined) return;
    const transactionId = transactionIdOf(request.body);
    const id = transactionId.length <= NAME_LENGTH ? transactionId : transactionIdOf(undefined);
    await this.refused.sample(tenant, id, refusalOf(error, request.body));
  }

  /** The environment of a key that was revoked or has expired. */
  private async formerOwner({ raw }: HttpRequest): Promise<TenantContext | undefined> {
    if (!this.formerKeys.take('', this.clock.now())) return undefined;
    return this.apiKeys.formerOwner(keyHeadersOf(raw.rawHeaders));
  }
}

function refusalOf({ code, message, hint }: DescribedError, body: unknown): Refusal {
  const { name } = (body ?? {}) as { name?: unknown };
  const texts = [message].flat();
  const isWhole = hint === undefined && typeof message === 'string';
  return {
    status: 'error',
    code,
    reason: isWhole ? message : (hint ?? TRIGGER_HINTS.error()),
    ...(!isWhole && { error: texts }),
    ...(typeof name === 'string' && { name: name.slice(0, NAME_LENGTH) }),
  };
}
