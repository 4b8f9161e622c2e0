import '../../../test/support/declared-steps.js';
import { DETAIL } from './detail.enums.js';
import { type EndedStep, explanationOf } from './explanation.js';

type Detail = EndedStep['details'][number];

const step = (more: Partial<EndedStep>): EndedStep => ({ status: 'failed', details: [], ...more });
const detail = (text: string, more: Partial<Detail> = {}): Detail => ({ detail: text, status: 'Failed', ...more });
const attempted = (...codes: string[]): EndedStep =>
  step({
    reason: 'provider',
    details: codes.map((code) => detail(DETAIL.providerError, { raw: `{"code":"${code}"}` })),
  });
const skippedBy = (text: string): EndedStep =>
  step({ status: 'skipped', reason: 'preferences', details: [detail(text)] });

describe('explanationOf', () => {
  it('should tell a digest that comes from one that could not be sent', () => {
    expect(explanationOf(step({ status: 'skipped', reason: 'budget_digest' }))?.title).toMatch(/comes with the digest/);
    const failed = explanationOf(step({ reason: 'budget_digest', error: 'The workflow is not active.' }));
    expect(failed).toMatchObject({
      text: 'The workflow is not active.',
      title: expect.stringMatching(/could not be/) as string,
    });
    expect(explanationOf(step({ status: 'skipped', reason: 'budget' }))?.title).toMatch(/used up/);
  });

  it('should say nothing about a step that did its work or has yet to do it, unless it is held back', () => {
    for (const status of ['completed', 'queued', 'running', 'delayed', 'pending', 'merged'])
      expect(explanationOf(step({ status }))).toBeUndefined();
    expect(explanationOf(step({ status: 'queued', reason: 'provider_down' }))?.title).toBe('The provider is down');
  });

  it('should go by the last attempt: an outage, credentials, an address or a message', () => {
    const codes = ['unavailable', 'timeout', 'unauthorized', 'invalid_target', 'rate_limited', 'rejected'];
    expect(codes.map((code) => explanationOf(attempted('greylisted', code))?.title)).toEqual([
      'The provider was not available',
      'The provider was not available',
      'The provider rejected the credentials',
      'The provider rejected the address',
      "The provider's rate limit was reached",
      'The provider refused the message',
    ]);
  });

  it('should say whose setting switched a channel off', () => {
    expect(explanationOf(skippedBy(DETAIL.filteredByWorkflowPreference))?.title).toContain('for this workflow');
    expect(explanationOf(skippedBy(DETAIL.filteredByGlobalPreference))?.title).toContain('for all workflows');
    expect(explanationOf(skippedBy(DETAIL.filteredByWorkflowOverride))?.title).toContain('tenant');
    expect(explanationOf(skippedBy('Something new'))?.title).toBe('Disabled by preferences');
  });

  it('should keep the words of the error, also with a reason that it does not know', () => {
    expect(explanationOf(step({ reason: 'new_reason', error: 'No luck.' }))).toMatchObject({
      title: 'The step failed',
      text: 'No luck.',
    });
  });

  it('should explain a message that bounced after it was accepted', () => {
    const details = [detail('550 gone', { webhookStatus: 'bounced' })];
    expect(explanationOf(step({ status: 'completed', details }))).toMatchObject({
      title: 'The provider accepted the message, then reported: bounced',
      text: '550 gone',
    });
  });

  it('should not advise to replay a step that was skipped for lack of an address', () => {
    const nowhere = step({ status: 'skipped', reason: 'no_channel' });
    expect(explanationOf(nowhere)?.remedy).toContain('trigger the event again');
    expect(explanationOf(step({ reason: 'no_channel' }))?.remedy).toContain('replay');
  });
});
