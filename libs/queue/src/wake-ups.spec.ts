import { jest } from '@jest/globals';
import { InProcessWakeUps } from './in-process-wake-ups.js';

describe('InProcessWakeUps', () => {
  it('should call whoever listens, until they no longer do', () => {
    const wakeUps = new InProcessWakeUps();
    const listener = jest.fn();
    const stop = wakeUps.listen(listener);
    wakeUps.notify();
    stop();
    wakeUps.notify();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
