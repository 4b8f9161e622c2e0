import { createWatch } from './arrivals.mjs';
import { DemoFailure } from './client.mjs';

describe('createWatch', () => {
  let at;
  let told;
  const watchFor = (withinMs = 120_000) =>
    createWatch([at], { arrival: (_step, { ms }) => told.push(ms), note: (text) => told.push(text) > 0 }, withinMs);
  const step = (more) => ({ title: 'The mail.', at, match: ({ subject }) => subject === 'x', since: 100, ...more });
  const mail = (more) => ({ at: 150, subject: 'x', ...more });
  beforeEach(() => {
    at = { kind: 'smtp', arrivals: [] };
    told = [];
  });

  it('should wait for what is meant, and tell how long it took', async () => {
    const waiting = watchFor().arrived(step({ expect: { to: 'ann' } }));
    at.arrivals.push(mail({ subject: 'y' }), mail({ to: 'ann' }));
    await expect(waiting).resolves.toEqual({ subject: 'x', to: 'ann' });
    expect(told).toEqual([50]);
  });

  it('should print what is wrong before it fails', async () => {
    at.arrivals.push(mail({ to: 'bob' }));
    await expect(watchFor().arrived(step({ expect: { to: 'ann' } }))).rejects.toThrow(
      new DemoFailure('The mail. expected to to be "ann", got "bob"'),
    );
    expect(told).toEqual([50]);
  });

  it('should fail where nothing comes', async () => {
    await expect(watchFor(0).arrived(step())).rejects.toThrow('The mail. It did not arrive by smtp within 0 s.');
  });

  it('should go on with a sentence where Herald declines', async () => {
    const refusal = () => Promise.resolve('It may not.');
    await expect(watchFor().arrived(step({ refusal }))).resolves.toBeUndefined();
    expect(told).toEqual(['It may not.']);
  });

  it('should notice what came twice', async () => {
    const watch = watchFor();
    at.arrivals.push(mail(), mail());
    await watch.arrived(step());
    expect(watch.assertNothingElse).toThrow(DemoFailure);
    await watch.arrived(step());
    expect(watch.assertNothingElse).not.toThrow();
    expect(watch.arrivals()).toBe(2);
  });
});
