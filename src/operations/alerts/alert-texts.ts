import type { AlertFacts, Incident, IncidentKind } from './alerts.schema.js';

interface Texts {
  readonly title: string;
  readonly text: string;
}

interface Words {
  readonly began: (facts: AlertFacts) => Texts;
  /** Absent: nobody is told. */
  readonly ended?: (facts: AlertFacts) => Texts;
}

const WORDS: Readonly<Record<IncidentKind, Words>> = {
  provider: {
    began: ({ integration, channel }) => ({
      title: `${integration} does not answer`,
      text: `Its ${channel} messages go through another integration, or wait until it answers. None of them is lost.`,
    }),
    ended: ({ integration, channel }) => ({
      title: `${integration} answers again`,
      text: `Its ${channel} messages that have waited are being sent.`,
    }),
  },
  failures: {
    began: ({ percent, failed, total }) => ({
      title: `${percent} % of the messages fail`,
      text: `Of the last ${total} messages, ${failed} failed. Activity says why each of them did.`,
    }),
    ended: () => ({
      title: 'Messages no longer fail',
      text: 'In the last hour, far fewer failed than when this was told, or hardly any were sent.',
    }),
  },
  dead_letters: {
    began: ({ count }) => ({
      title: count === 1 ? 'A message could not be delivered' : `${count} messages could not be delivered`,
      text: 'Herald does not try them again by itself. Correct the reason that Activity shows, then replay them.',
    }),
  },
  late_work: {
    began: ({ minutes }) => ({
      title: `Messages are late by ${minutes} minutes`,
      text: 'More is due than the workers get done. Health shows what waits; start more workers if it keeps growing.',
    }),
    ended: () => ({ title: 'Messages are in time again', text: 'The work that was due is done.' }),
  },
};

/** In English; the workflow has the facts as well, for words of its own. @returns undefined if nobody is told */
export function incidentTexts(
  { kind, facts }: Pick<Incident, 'kind' | 'facts'>,
  state: keyof Words = 'began',
): Texts | undefined {
  return WORDS[kind][state]?.(facts);
}
