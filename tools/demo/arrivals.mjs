import { DemoFailure, faultOfData } from './client.mjs';

const ARRIVES_WITHIN_MS = 10_000;
const POLL_MS = 25;

/**
 * Waits for what the catchers get, has it printed, and compares it with what the step expects.
 * @param catchers whose arrivals count
 * @param printer gets every arrival
 */
export function createWatch(catchers, printer, withinMs = ARRIVES_WITHIN_MS) {
  const taken = new Set();

  /**
   * One arrival.
   * @param step.title what has arrived, for people
   * @param step.at the catcher
   * @param step.match which of its arrivals is meant
   * @param step.since when it was triggered, in milliseconds of `performance.now()`
   * @param step.expect as for a call
   * @param step.show fields that are worth reading
   * @param step.refusal asks whether Herald declines to send it; its text is printed and the wait ends
   * @returns the arrival, or undefined where Herald declined
   */
  async function arrived(step) {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const arrival = step.at.arrivals.find((one) => !taken.has(one) && step.match(one));
      if (arrival !== undefined) return take(step, arrival);
      const refusal = await step.refusal?.();
      if (refusal !== undefined) {
        printer.note(refusal);
        return undefined; // what a printer's note gives back is none of an arrival
      }
      if (performance.now() > deadline) {
        throw new DemoFailure(`${step.title} It did not arrive by ${step.at.kind} within ${withinMs / 1000} s.`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  function take(step, found) {
    taken.add(found);
    const { at, ...arrival } = found;
    const fault = faultOfData(step.expect, arrival);
    printer.arrival(step, { by: step.at.kind, ms: at - step.since, arrival, expected: fault === undefined });
    if (fault !== undefined) throw new DemoFailure(`${step.title} ${fault}`);
    return arrival;
  }

  /** @throws {DemoFailure} where more arrived than was waited for: everything is due once */
  function assertNothingElse() {
    const others = catchers.flatMap(({ arrivals }) => arrivals).filter((one) => !taken.has(one));
    if (others.length > 0) throw new DemoFailure(`These arrived, and were not due: ${JSON.stringify(others)}`);
  }

  return { arrived, assertNothingElse, arrivals: () => taken.size };
}
