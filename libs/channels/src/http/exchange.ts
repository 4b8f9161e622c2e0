import type { Dispatcher } from 'undici';
import type { OutboundResponse } from './outbound-http.types.js';
import { BodyReader, toResponse } from './response-body.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface ExchangeOptions {
  readonly signal: AbortSignal | undefined;
  /** The status counts more than the body, whatever the status. */
  readonly cutsBody: boolean;
  /** Called once a connection exists and the request is about to be written to it. */
  readonly onWrite: () => void;
}

const FIRST_FINAL_STATUS = 200;
const FIRST_FAILURE_STATUS = 400;

/** The handler of the client itself: its own `request` makes a stream of every answer, which costs more than sending the request. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<OutboundResponse>;
  private settle: { readonly resolve: (answer: OutboundResponse) => void; readonly reject: (error: unknown) => void };
  private controller: Dispatcher.DispatchController | undefined;
  private head: { readonly status: number; readonly headers: Headers } | undefined;
  private readonly body = new BodyReader();

  constructor(private readonly options: ExchangeOptions) {
    this.settle = NOBODY;
    this.answer = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    options.signal?.addEventListener('abort', this.onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { signal, onWrite } = this.options;
    this.controller = controller;
    if (signal?.aborted === true) controller.abort(signal.reason as Error);
    else onWrite();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= FIRST_FINAL_STATUS) this.head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.body.add(chunk)) controller.abort(this.body.tooLarge());
  }

  onResponseEnd(): void {
    this.end(undefined);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.end({ error });
  }

  private readonly onAbort = (): void => {
    const { reason } = this.options.signal as { readonly reason: Error };
    if (this.controller === undefined) this.end({ error: reason });
    else this.controller.abort(reason);
  };

  private end(fault: { readonly error: unknown } | undefined): void {
    const { head, body, options } = this;
    options.signal?.removeEventListener('abort', this.onAbort);
    const isCut = fault !== undefined;
    const mayBeCut = options.cutsBody || (head !== undefined && head.status >= FIRST_FAILURE_STATUS);
    if (head === undefined || (isCut && !mayBeCut)) this.settle.reject(fault?.error);
    else this.settle.resolve(toResponse(head.status, head.headers, { text: body.text(), isCut }));
  }
}

const NOBODY = { resolve: () => undefined, reject: () => undefined };

/** @throws what the client or the signal says; before a byte is written if the signal is aborted by then */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<OutboundResponse> {
  options.signal?.throwIfAborted();
  const handler = new Exchange(options);
  dispatcher.dispatch(request, handler);
  return handler.answer;
}
