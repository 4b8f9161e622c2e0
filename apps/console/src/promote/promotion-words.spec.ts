import { countOf, hasContent, outcomeOf, sentPromotion, titleOf } from './promotion-words.js';

describe('the words of a promotion', () => {
  it('should name the record and what becomes of it', () => {
    expect(titleOf({ kind: 'workflow-override', name: 'order-shipped for acme' })).toBe(
      'override order-shipped for acme',
    );
    expect(outcomeOf({ outcome: 'deleted' })).toBe('Deleted');
    expect([countOf(1, 'change'), countOf(2, 'change')]).toEqual(['1 change', '2 changes']);
  });

  it('should show the content of what is more than a name, unless it is deleted', () => {
    expect(hasContent({ kind: 'layout', outcome: 'created' })).toBe(true);
    expect(hasContent({ kind: 'layout', outcome: 'deleted' })).toBe(false);
    expect(hasContent({ kind: 'feed', outcome: 'created' })).toBe(false);
    expect(hasContent({ kind: 'notification-group', outcome: 'updated' })).toBe(true);
  });

  it('should ask for deletions only if they are wanted', () => {
    expect(sentPromotion('a', undefined, false, [])).toEqual({ sourceEnvironmentId: 'a' });
    expect(sentPromotion('a', undefined, true, [])).toEqual({ sourceEnvironmentId: 'a', prune: true });
    expect(sentPromotion('a', 'order-shipped', false, ['feed/News'])).toEqual({
      sourceEnvironmentId: 'a',
      workflow: 'order-shipped',
      leaveOut: ['feed/News'],
    });
  });
});
