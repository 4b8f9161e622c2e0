import { readTracking } from './tracking.schema.js';

describe('readTracking', () => {
  it('should store only what is said', () => {
    expect(readTracking({ opens: null, clicks: false })).toEqual({ clicks: false });
  });
});
