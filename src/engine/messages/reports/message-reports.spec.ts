import { MESSAGE_STATUSES } from '../records/message.enums.js';
import { isFurther, statusesBefore } from './message-reports.js';

describe('statusesBefore', () => {
  it('should not let a late delivery undo what the recipient did', () => {
    expect(statusesBefore('delivered')).toEqual(['pending', 'sent', 'warning', 'error']);
  });

  it('should let a bounce undo a delivery, but not an opening', () => {
    expect(statusesBefore('bounced')).toContain('delivered');
    expect(statusesBefore('bounced')).not.toContain('opened');
  });

  it('should let a complaint be the last word', () => {
    expect(statusesBefore('complained')).toHaveLength(MESSAGE_STATUSES.length - 1);
  });
});

describe('isFurther', () => {
  it.each(MESSAGE_STATUSES)('should order %s before or after every other status and not beside itself', (status) => {
    expect(isFurther(status, status)).toBe(false);
    for (const other of MESSAGE_STATUSES.filter((one) => one !== status)) {
      expect(isFurther(status, other)).toBe(!isFurther(other, status));
    }
  });
});
