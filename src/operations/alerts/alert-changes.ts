import { incidentTexts } from './alert-texts.js';
import { ALERT_WORKFLOW } from './alert-workflows.js';
import type { Alert, Incident } from './alerts.schema.js';

/** What a check has found. */
export interface Finding extends Omit<Incident, 'since'> {
  /** When it began, if that is known; otherwise when it is found first. */
  readonly since?: Date;
  /** False: not bad enough to begin with, and too bad to be over. */
  readonly isOver: boolean;
  /** Told again when it has grown tenfold. */
  readonly count?: number;
}

export interface Changes {
  readonly open: Incident[];
  readonly alerts: Alert[];
}

const GROWN = 10;

/** What has begun and ended since the last check. @param id of the record, which the transaction ids name */
export function changesOf(id: string, before: readonly Incident[], found: readonly Finding[], now: Date): Changes {
  const open: Incident[] = [];
  const alerts: Alert[] = [];
  for (const finding of found) {
    const known = before.find(({ about }) => about === finding.about);
    if (known === undefined && !finding.isOver) continue;
    if (known !== undefined && !isAnother(known, finding)) {
      open.push(known);
      continue;
    }
    const { about, kind, facts, since = now } = finding;
    const incident = { about, kind, since, facts };
    open.push(incident);
    alerts.push(...alertsOf(id, incident, 'began'));
  }
  for (const incident of before) {
    if (!found.some(({ about }) => about === incident.about)) alerts.push(...alertsOf(id, incident, 'ended'));
  }
  return { open, alerts };
}

/** A provider that was up in between, and what is much worse than it was told. */
function isAnother(known: Incident, { since, count }: Finding): boolean {
  if (since !== undefined) return since.getTime() !== known.since.getTime();
  return count !== undefined && count >= GROWN * Number(known.facts['count']);
}

function alertsOf(id: string, incident: Incident, state: 'began' | 'ended'): Alert[] {
  const { about, kind, since, facts } = incident;
  const texts = incidentTexts(incident, state);
  if (texts === undefined) return [];
  const payload = { about, kind, state, since: since.toISOString(), ...facts, ...texts };
  return [{ transactionId: `alert:${id}:${about}:${since.getTime()}:${state}`, workflow: ALERT_WORKFLOW, payload }];
}
