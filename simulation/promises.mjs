const SENTENCES = {
  P1: 'An event that was answered with 2xx is carried out for each recipient, whatever dies afterwards.',
  P2: 'An in-app message is stored once for each event and recipient.',
  P3: 'An email, text, push or chat message is handed to its provider once; it is not repeated when nobody knows what became of a call.',
  P4: 'A message that did not arrive is reported as failed or uncertain in the trail of its notification.',
  P5: 'A digest loses no event and tells none twice.',
  P6: 'Nothing is delivered before its delay has passed.',
  P7: 'After true is answered to a cancellation, nothing that it means is delivered, and nothing was before.',
  P8: 'After false is answered to a cancellation, the event is delivered as if nobody had asked.',
  P9: 'An occurrence of a schedule triggers its workflow once, over any restart and change of the clock.',
  P10: 'A wait ends once: by its event or by its deadline, and a signal that woke it is the end of it.',
  P11: 'A throttle lets as many events pass as it says, or all if there were fewer.',
  P12: 'The address of a deleted person is in no record of what is still to be sent, and nothing brings the person back.',
  P13: 'A message that was sent is told to each webhook that asked for it.',
  P14: 'A valid request is answered with 2xx, or with 503 and the time after which to try again.',
  P15: 'A process does not end by itself, whatever its store, its network and its providers do.',
  P16: 'A request with the same transactionId is one event, however often it is sent.',
  P17: 'When faults end, everything that is due is done within ten minutes, and no work is left behind.',
  P18: 'Events and their notifications do not contradict each other.',
  P19: 'A caller sees records of its own environment only.',
  P20: 'Each operation needs the rights that its page names.',
  P21: 'A write that was answered is on the disk of the store.',
  P22: 'Damage of stored data is reported, and never served.',
  P23: 'A question has exactly one outcome, of which one webhook and all its copies tell.',
  P24: 'A request of an HTTP step has the same Idempotency-Key however often it is tried, and is not tried again after a process has died over it.',
  P25: 'A budget lets as many messages pass as it says, or all if there were fewer.',
  P26: 'A message fails only after each integration that could send it was tried.',
  P27: 'A replay that was answered with 2xx sends what has failed, and nothing that may have arrived.',
  P28: "What waits for the end of somebody's quiet hours is sent then, also if they are lifted, and not before.",
  P29: 'An event is carried out by its workflow as it was when the event was accepted.',
  P30: 'A snoozed message is hidden until its time, and is back then.',
  P31: 'Each open and click of a mail that is recorded is told once, and it is recorded when nothing goes wrong.',
};

/** What a run of the simulator cannot show. */
const TESTS = {
  P19: ['test/isolation/environments.e2e-spec.ts', 'test/access/walls.e2e-spec.ts'],
  P20: ['test/access/walls.e2e-spec.ts'],
  P21: ['test/events/lost-writes.e2e-spec.ts', 'packages/embedded-mongo/test/crash/crash.e2e-spec.ts'],
  P22: ['packages/embedded-mongo/test/damage.e2e-spec.ts'],
};

/** What Herald promises, each once: the manual shows them, and the oracle checks those without `tests`, which name who holds the others. */
export const PROMISES = Object.fromEntries(
  Object.entries(SENTENCES).map(([id, sentence]) => [id, { sentence, tests: TESTS[id] }]),
);
