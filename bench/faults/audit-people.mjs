// Compares what people got and did with what budgets allow and messages record.
import { KINDS } from './load.mjs';

/**
 * Of each person, exactly as many messages as the budget says, or all if there were fewer. A message that may have been sent has its place,
 * and one that a provider refused for good as well.
 */
export function rowsOfBudgets(
  events,
  { texts = new Map(), uncertain, digests = { count: 0, messages: 0 } },
  { row, none },
) {
  const people = new Map();
  for (const { n, kind, to } of events.values()) {
    const { budget } = KINDS[kind];
    if (budget === undefined) continue;
    for (const subscriber of to) {
      const key = `${n}/${subscriber}`;
      const one = people.get(subscriber) ?? { budget, sent: 0, passed: 0, uncertain: 0 };
      const count = texts.get(key)?.length ?? 0;
      one.sent += 1;
      one.passed += count;
      if (count === 0 && uncertain.has(key)) one.uncertain += 1;
      people.set(subscriber, one);
    }
  }
  const wrong = [...people].flatMap(([name, { budget, sent, passed, uncertain: unsure }]) => {
    const wanted = Math.min(budget, sent);
    return passed <= wanted && passed + unsure >= wanted
      ? []
      : [`${name}: ${passed} of ${sent} passed, ${unsure} unsure`];
  });
  const passed = [...people.values()].reduce((sum, one) => sum + one.passed, 0);
  return [
    row(
      'budgets, their messages, and what came in digests',
      `${people.size}, ${passed}, ${digests.messages} in ${digests.count}`,
      true,
    ),
    none('budgets with too many or too few messages', wrong),
  ];
}

/** What messages record is told once each, and nothing else is; no more is recorded than was followed. */
export function rowsOfEngagements(recorded = [], { engagements = new Map(), followed = 0 }, { row, none }) {
  const told = new Map();
  for (const what of engagements.values()) told.set(what, (told.get(what) ?? 0) + 1);
  const names = new Map(recorded.map(({ messageId, kind, count }) => [`${messageId} ${kind}`, count]));
  const wrong = [...new Set([...names.keys(), ...told.keys()])].flatMap((name) => {
    const [count, webhooks] = [names.get(name) ?? 0, told.get(name) ?? 0];
    return count === webhooks ? [] : [`${name}: ${count} recorded, ${webhooks} told`];
  });
  const total = recorded.reduce((sum, { count }) => sum + count, 0);
  if (total > followed) wrong.push(`${total} are recorded of ${followed} requests`);
  return [
    row('opens and clicks, and requests', `${total}, ${followed}`, true),
    none('opens and clicks without their webhook, with another or recorded too often', wrong),
  ];
}
