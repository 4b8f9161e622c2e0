import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse } from '#libs/channels';
import { HTTP_STEP_CALLS } from '#libs/telemetry';
import { DeliveryQueues } from '../../queues/delivery-queues.js';
import { BegunCalls } from '../../run/begun-calls.js';
import type { StepTask } from '../../run/step-handler.js';
import { type ComposedRequest, HttpRequests } from './http-request.js';

/** The name of the calls of these steps, which have no provider. */
const OWN = 'http_request';

/** Sends the requests of steps. */
export abstract class HttpCaller {
  /**
   * @param sample what takes the place of an answer where nothing is sent
   * @returns `closing`: the process ends, and another one sends the request; `unsent`: nothing is sent here
   * @throws {ProviderError} @throws {LeaseLost}
   */
  abstract call(
    task: StepTask,
    request: ComposedRequest,
    sample?: Readonly<Record<string, unknown>> | null,
  ): Promise<OutboundResponse | 'closing' | 'unsent'>;
}

@Injectable()
export class LiveHttpCaller implements HttpCaller {
  constructor(
    private readonly http: OutboundHttp,
    private readonly requests: HttpRequests,
    private readonly calls: BegunCalls,
    private readonly queues: DeliveryQueues,
  ) {}

  async call({ run, state }: StepTask, request: ComposedRequest): Promise<OutboundResponse | 'closing'> {
    if (this.queues.lanes.isClosed) return 'closing';
    const now = this.queues.now();
    const signature = await this.requests.signature(run, request, now);
    await this.calls.begin(run, { target: '', integrationId: OWN, providerId: OWN, at: now, attempt: state.attempt });
    const { method, url, headers, body, timeoutMs, hasSecrets } = request;
    const begun = performance.now();
    let status = 'none';
    try {
      const response = await this.http.request({
        method,
        url,
        headers: { 'idempotency-key': state._id.toHexString(), ...headers, ...signature },
        ...(body !== undefined && { body }),
        timeoutMs,
        cutsBody: true,
        staysAtOrigin: hasSecrets,
      });
      status = `${Math.floor(response.status / 100)}xx`;
      return response;
    } finally {
      HTTP_STEP_CALLS.observeMs({ status }, performance.now() - begun);
    }
  }
}

/** For rehearsals: the sample of the step is the answer. */
export class SampleHttpCaller implements HttpCaller {
  call(
    _task: StepTask,
    _request: ComposedRequest,
    sample?: Readonly<Record<string, unknown>> | null,
  ): Promise<OutboundResponse | 'unsent'> {
    if (!sample) return Promise.resolve('unsent');
    const text = JSON.stringify(sample);
    return Promise.resolve({ status: 200, headers: {}, text, isCut: false, json: () => sample });
  }
}
