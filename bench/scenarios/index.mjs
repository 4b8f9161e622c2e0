// All scenarios. `settings` are their defaults, `full` what `--full` changes; `--set name=value` changes either.
// `kind`: short ones run always, full ones with --full, checks only by name.
export const SCENARIOS = {
  requests: {
    kind: 'short',
    about: 'single routes: Herald, a straightforward application, a bare handler',
    settings: { rounds: 3, seconds: 1, route: '' },
    full: { rounds: 7, seconds: 5 },
    load: () => import('./requests.mjs'),
  },
  delivery: {
    kind: 'short',
    about: 'from a trigger to the stored in-app message, beside a loop of the same inserts',
    settings: { rounds: 3, count: 3_000, idle: 60 },
    full: { rounds: 5, count: 20_000, idle: 300 },
    load: () => import('./delivery.mjs'),
  },
  mail: {
    kind: 'short',
    about: 'mail by SMTP beside nodemailer alone',
    settings: { rounds: 3, mails: 300 },
    full: { rounds: 5, mails: 2_000 },
    load: () => import('./mail.mjs'),
  },
  footprint: {
    kind: 'short',
    about: 'start, memory, bytes on disk for each notification, size of the package',
    settings: { notifications: 3_000, starts: 2 },
    full: { notifications: 70_000, starts: 7 },
    load: () => import('./footprint.mjs'),
  },
  fairness: {
    kind: 'full',
    about: 'a broadcast to very many subscribers, its memory, and how long another environment waits',
    settings: { subscribers: 10_000 },
    full: { subscribers: 100_000 },
    load: () => import('./fairness.mjs'),
  },
  digests: {
    kind: 'full',
    about: 'many events in digests of one recipient and of many',
    settings: { events: 10_000, recipients: 1_000, window: 30 },
    full: {},
    load: () => import('./digests.mjs'),
  },
  growth: {
    kind: 'full',
    about: 'point reads, lists, feeds and counts in small and large collections',
    settings: { small: 1_000, large: 50_000, asks: 60 },
    full: { large: 1_000_000 },
    load: () => import('./growth.mjs'),
  },
  crash: {
    kind: 'check',
    about: 'kills Herald while events come in; nothing acknowledged may be lost',
    settings: { events: 2_000, kills: 4, seed: 1 },
    full: {},
    load: () => import('./crash.mjs'),
  },
  promises: {
    kind: 'check',
    about: 'suspends and kills Herald among digests, delays and cancellations; nothing lost, nothing twice',
    settings: { seconds: 60, clients: 4, seed: 1 },
    full: { seconds: 600 },
    load: () => import('./promises.mjs'),
  },
  attacks: {
    kind: 'check',
    about: 'how long others wait while hostile input is processed',
    settings: { seconds: 20, input: '', program: '' },
    full: {},
    load: () => import('./attacks.mjs'),
  },
};
