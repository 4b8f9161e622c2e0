import type { Run } from '../run/run.js';

/** A subscriber as templates, conditions and webhooks may see it: no credentials, no addresses' history. */
export function subscriberView({ facts: { subscriber } }: Run): Record<string, unknown> {
  return personView(subscriber);
}

function personView(person: Run['facts']['subscriber']): Record<string, unknown> {
  const view: Record<string, unknown> = { ...person };
  delete view['channels'];
  delete view['badAddresses'];
  return view;
}

/** What `step` means in templates: the digest's events once one has ended, and none before. */
export function stepView({ digestEvents }: Run): Record<string, unknown> {
  const events = digestEvents ?? [];
  return { digest: digestEvents !== undefined, events, total_count: events.length };
}

/** The roots of templates: the payload's keys at the top, then the names that win over them. */
export function templateVariables(run: Run): Record<string, unknown> {
  const { actor, branding, tenant } = run.facts;
  return {
    ...run.event.payload,
    subscriber: subscriberView(run),
    step: stepView(run),
    branding,
    ...(tenant && { tenant }),
    ...(actor && { actor: personView(actor) }),
  };
}

/** The roots of conditions. */
export function conditionVariables(run: Run): {
  payload: Record<string, unknown>;
  subscriber: Record<string, unknown>;
  tenant?: Record<string, unknown>;
  actor?: Record<string, unknown>;
  step: Record<string, unknown>;
} {
  const { actor, tenant } = run.facts;
  return {
    payload: run.event.payload,
    subscriber: subscriberView(run),
    step: stepView(run),
    ...(tenant && { tenant: { ...tenant } }),
    ...(actor && { actor: personView(actor) }),
  };
}
