import { Types } from 'mongoose';
import { derivedObjectId } from './object-ids.js';

describe('derivedObjectId', () => {
  const parent = new Types.ObjectId();

  it('should be the same for the same parts and keep the time of its parent', () => {
    const id = derivedObjectId(parent, 'a', 'b');
    expect(id.equals(derivedObjectId(new Types.ObjectId(parent.toHexString()), 'a', 'b'))).toBe(true);
    expect(id.getTimestamp()).toEqual(parent.getTimestamp());
  });

  it.each([['ab'], ['a', 'b', ''], ['b', 'a'], ['a']])('should be another one for %j', (...parts) => {
    expect(derivedObjectId(parent, ...parts).equals(derivedObjectId(parent, 'a', 'b'))).toBe(false);
  });
});
