import { refusalWord } from './event-words.js';

describe('refusalWord', () => {
  it.each([
    [{ status: 'trigger_not_active' }, 'Workflow inactive'],
    [{ status: 'trigger_not_active', overrideId: 'x' }, 'Disabled for the tenant'],
    [{ status: 'error', code: 'workflow_not_found' }, 'Unknown workflow'],
    [{ status: 'error', code: 'validation_failed' }, 'Invalid trigger'],
    [{ status: 'error' }, 'Invalid trigger'],
  ] as const)('should say of %j: %s', (event, word) => {
    expect(refusalWord(event)).toBe(word);
  });
});
