import type { Span } from '#libs/schedule';
import type { Severity } from '../../../content/workflows/index.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import type { RunStep } from '../records/workflow-version.js';
import type { Run } from '../run/run.js';

type Overrides = TriggerEventRecord['overrides'];

type AtStep = { readonly run: Pick<Run, 'event'>; readonly step: Pick<RunStep, 'id' | 'uuid' | 'stepId'> };

/**
 * What the event overrides at a step, each under the key of its channel or provider. Later clients say it as `channels.<channel>` and
 * `providers.<id>`, and for one step, which wins, as `steps.<step>`.
 */
export function overridesOf({ run: { event }, step }: AtStep): Overrides {
  const { overrides } = event;
  if (!LATER_FORMS.some((key) => Object.hasOwn(overrides, key))) return overrides;
  const steps = recordAt(overrides, 'steps') ?? {};
  const key = stepKeys(step).find((name) => Object.hasOwn(steps, name));
  const own = (key === undefined ? undefined : recordAt(steps, key)) ?? {};
  const forAll = merged(merged(overrides, layoutOf(overrides)), recordAt(overrides, 'channels'));
  return merged(merged(merged(forAll, recordAt(overrides, 'providers')), layoutOf(own)), recordAt(own, 'providers'));
}

/** How an event may name a step. */
export function stepKeys({ id, uuid, stepId }: AtStep['step']): string[] {
  return [...(stepId === undefined ? [] : [stepId]), uuid, id];
}

const LATER_FORMS = ['channels', 'providers', 'steps', 'layoutId'];

function layoutOf(form: Record<string, unknown>): Record<string, unknown> {
  return form['layoutId'] === undefined ? {} : { email: { layoutId: form['layoutId'] } };
}

function merged(all: Overrides, more: Record<string, unknown> = {}): Record<string, unknown> {
  const forms = Object.entries(more).filter(([, form]) => isRecord(form));
  return { ...all, ...Object.fromEntries(forms.map(([key, form]) => [key, deep(objectAt(all, key), form)])) };
}

/** Objects are merged field by field, at every depth; of anything else, the more particular one counts. */
function deep(known: unknown, more: unknown): unknown {
  if (!isRecord(known) || !isRecord(more)) return more;
  const values = Object.entries(more).map(([key, value]) => [key, deep(objectAt(known, key), value)] as const);
  return { ...known, ...Object.fromEntries(values) };
}

/** The event may override the severity of its workflow. */
export function severityOf({ event, workflow }: Pick<Run, 'event' | 'workflow'>): Severity | undefined {
  return (event.overrides['severity'] as Severity | null | undefined) ?? workflow.severity;
}

/** The span by which a trigger replaces that of regular delays and digests. It was checked when it was accepted. */
export function delayOverride(overrides: Overrides): Span | undefined {
  return objectAt(overrides, 'delay') as unknown as Span | undefined;
}

export function channelOverrides(overrides: Overrides, channel: string, providerId?: string): Record<string, unknown> {
  return {
    ...objectAt(overrides, channel),
    ...(providerId !== undefined && ofProvider(overrides, providerId)),
  };
}

/** Later clients may send the fields of the provider's own apart, in `_passthrough.body`. */
function ofProvider(overrides: Overrides, providerId: string): Record<string, unknown> {
  const { _passthrough: raw, ...fields } = objectAt(overrides, providerId) ?? {};
  const body = isRecord(raw) ? recordAt(raw, 'body') : undefined;
  return { ...body, ...fields };
}

/** Overrides of emails and text messages that Herald applies, of the channel and of a provider. */
export const APPLIED_FIELDS = {
  email: [
    'subject',
    'html',
    'text',
    'from',
    'replyTo',
    'to',
    'cc',
    'bcc',
    'senderName',
    'headers',
    'customData',
    'ipPoolName',
  ],
  sms: ['content', 'to', 'from', 'customData'],
} as const;

/** The other ones of a provider, which are the provider's own; undefined without any. */
export function ownFields(
  overrides: Overrides,
  channel: keyof typeof APPLIED_FIELDS,
  providerId: string,
): Record<string, unknown> | undefined {
  const applied: readonly string[] = APPLIED_FIELDS[channel];
  const own = Object.entries(ofProvider(overrides, providerId)).filter(
    ([key, value]) => !applied.includes(key) && value !== undefined && value !== null,
  );
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

/** Overrides of a channel that Herald itself reads and does not hand to a provider. */
const OWN_KEYS = {
  chat: ['content', 'integrationIdentifier', 'replaces', 'replyTo'],
  push: ['title', 'content', 'integrationIdentifier'],
};

/** The overrides that a chat or push provider gets: its own, and those of the channel that Herald does not read itself. */
export function providerOverrides(
  overrides: Overrides,
  channel: 'chat' | 'push',
  providerId: string,
): Record<string, unknown> {
  const general = Object.entries(objectAt(overrides, channel) ?? {}).filter(
    ([key]) => !OWN_KEYS[channel].includes(key),
  );
  return { ...Object.fromEntries(general), ...ofProvider(overrides, providerId) };
}

export function chosenIntegration(overrides: Overrides, channel: string): string | undefined {
  const identifier = objectAt(overrides, channel)?.['integrationIdentifier'];
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}

/** The identifier or the id of a layout; null: none, whatever the step says. */
export function chosenLayout(overrides: Overrides): string | null | undefined {
  const { layoutId, layoutIdentifier } = objectAt(overrides, 'email') ?? {};
  if (layoutId === null) return null;
  const named = [layoutId, overrides['layoutIdentifier'], layoutIdentifier];
  return named.find((one): one is string => typeof one === 'string' && one !== '');
}

function objectAt(overrides: Overrides, key: string): Record<string, unknown> | undefined {
  return Object.hasOwn(overrides, key) ? recordAt(overrides, key) : undefined;
}

export function textAt(values: object, key: string): string | undefined {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsAt(values: object, key: string): string[] {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');
}

export function recordAt(values: object, key: string): Record<string, unknown> | undefined {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
