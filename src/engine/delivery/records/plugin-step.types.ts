import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import type { OutboundHttp } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import type { StepTypeDeclaration } from '#libs/plugins';

/** How an entry of the trail is shown; `Pending` by default. */
export type NoteStatus = 'Success' | 'Warning' | 'Failed' | 'Pending';

/** What a step of a plugin works with. */
export interface StepContext<I> {
  /** What the step declares of its template: expressions are rendered, and the schema is applied to the result. */
  readonly input: I;
  /**
   * The same at every attempt of this step of this run, also after a crash. Hand it to what you call: Herald carries out a
   * step at least once, and the key makes its effect happen once.
   */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  /** An earlier attempt may have had an effect: it failed, or its process ended before it was recorded. */
  readonly mayHaveRun: boolean;
  /** The step has waited until the time that its earlier result named. */
  readonly isResumed: boolean;
  readonly now: Date;
  /** Aborted at the time limit, DELIVERY_TIMEOUT_MS. */
  readonly signal: AbortSignal;
  /** Calls URLs; with `trusted: false`, private addresses are refused. */
  readonly http: OutboundHttp;
  /** For services of the plugin: everything that the step reads or writes belongs to this environment. */
  readonly caller: TenantContext;
  readonly workflow: { readonly id: string; readonly identifier: string; readonly name: string };
  readonly notificationId: string;
  readonly transactionId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** As templates see them. */
  readonly subscriber: Readonly<Record<string, unknown>>;
  readonly tenant?: Readonly<Record<string, unknown>>;
  /** The subscriber who caused the event. */
  readonly actor?: Readonly<Record<string, unknown>>;
  /** How many workflows have started each other before this one; 0 for an event of a client. */
  readonly depth: number;
  /** Payloads that a digest before this step has collected. */
  readonly digestEvents?: readonly Readonly<Record<string, unknown>>[];
  /** Renders a template with the variables of the run. @throws if it cannot be rendered */
  render(template: string): Promise<string>;
  /** Adds an entry to the trail of the run. Secrets in `raw` are masked by the names of their keys. */
  note(label: string, more?: { readonly status?: NoteStatus; readonly raw?: Record<string, unknown> }): void;
}

/** What became of a step. Throw a {@link StepError} if it failed. */
export type StepResult =
  /** Later steps read `output` in their templates as `{{step.outputs.UUID.KEY}}`, with the `uuid` of this step. Plain data. */
  | { readonly status: 'completed'; readonly output?: Readonly<Record<string, unknown>> }
  | { readonly status: 'skipped'; readonly reason: string }
  /** The step is carried out again at that time, with `isResumed`; with `awaits`, before that when such a signal comes. */
  | { readonly status: 'waiting'; readonly until: Date; readonly awaits?: AwaitedSignal };

/** A signal with this value in its payload, as POST /v1/events/signal sends it. */
export interface AwaitedSignal {
  readonly event: string;
  /** Path in the payload, with dots. */
  readonly path: string;
  readonly value: string;
}

/** Carries out the steps of one type. */
export interface StepRunner<I> {
  /** @throws {StepError} */
  run(context: StepContext<I>): Promise<StepResult | void>;
  /** What a dry run does in place of `run`. It must have no effect. Without it, a dry run says `not simulated`. */
  simulate?(context: StepContext<I>): Promise<StepResult | void>;
}

/** What a step gets: `template.input`, or what it declares of its template. */
interface StepTypeBase<S extends z.ZodType> extends StepTypeDeclaration {
  readonly input?: S;
}

/** A type of step: its input, and functions or an injectable class that carry it out. */
export type StepType<S extends z.ZodType = z.ZodType> =
  (StepTypeBase<S> & StepRunner<z.output<S>>) | (StepTypeBase<S> & { readonly runner: Type<StepRunner<z.output<S>>> });
