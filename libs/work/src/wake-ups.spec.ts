import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { GroupWakeUps, WORK_DUE } from './group-wake-ups.js';
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

describe('GroupWakeUps', () => {
  class Channel extends EventEmitter {
    connected = true;
    readonly send = jest.fn();
  }

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('should announce work at once, and further work once in a while', () => {
    const channel = new Channel();
    const wakeUps = new GroupWakeUps(channel);
    wakeUps.notify();
    expect(channel.send).toHaveBeenCalledTimes(1);
    expect(channel.send).toHaveBeenCalledWith(WORK_DUE, expect.any(Function));
    wakeUps.notify();
    wakeUps.notify();
    jest.runAllTimers();
    expect(channel.send).toHaveBeenCalledTimes(2);
  });

  it('should wake the workers of its process by what the group announces, and by its own work without the group', () => {
    const channel = new Channel();
    const wakeUps = new GroupWakeUps(channel);
    const listener = jest.fn();
    wakeUps.listen(listener);
    channel.emit('message', WORK_DUE);
    channel.emit('message', 'another message');
    wakeUps.notify();
    expect(listener).toHaveBeenCalledTimes(2);
    expect(channel.send).not.toHaveBeenCalled();
  });

  it('should send nothing without a channel and leave none of its listeners behind', async () => {
    const channel = new Channel();
    const wakeUps = new GroupWakeUps(channel);
    channel.connected = false;
    wakeUps.notify();
    expect(channel.send).not.toHaveBeenCalled();
    await wakeUps.close();
    expect(channel.listenerCount('message')).toBe(0);
  });
});
