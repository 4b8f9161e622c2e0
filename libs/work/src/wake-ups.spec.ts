import { jest } from '@jest/globals';
import { InProcessWakeUps } from './wake-ups.js';

describe('InProcessWakeUps', () => {
  it('should call each listener until it stops listening', () => {
    const wakeUps = new InProcessWakeUps();
    const listener = jest.fn();
    const stop = wakeUps.listen(listener);
    wakeUps.notify();
    stop();
    wakeUps.notify();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
