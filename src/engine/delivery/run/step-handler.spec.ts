import { type StepHandler, StepHandlers } from './step-handler.js';

class MailStep {}
class OtherMailStep {}

describe('StepHandlers', () => {
  it('should refuse a second class for a type, and name both', () => {
    const handlers = new StepHandlers();
    const first = new MailStep() as StepHandler;
    handlers.add('mail', first);
    expect(() => handlers.add('mail', new OtherMailStep() as StepHandler)).toThrow(
      "Two classes carry out steps of the type 'mail': MailStep and OtherMailStep. Remove one of them.",
    );
    expect(handlers.get('mail')).toBe(first);
  });
});
