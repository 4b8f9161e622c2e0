import { Types } from 'mongoose';
import { type LaneRoom, pickFair } from './pick-fair.js';

const environments = new Map<string, Types.ObjectId>();
const environment = (name: string): Types.ObjectId => {
  const id = environments.get(name) ?? new Types.ObjectId();
  environments.set(name, id);
  return id;
};
const item = (name: string, lane = 'email'): { name: string; _environmentId: Types.ObjectId; lane: string } => ({
  name,
  _environmentId: environment(name.charAt(0)),
  lane,
});
const room = (free: number, most = free): LaneRoom => ({ free, freeFor: () => most });
const names = (items: { name: string }[]): string[] => items.map(({ name }) => name);

describe('pickFair', () => {
  it('should take everything where there is room', () => {
    const due = [item('a1'), item('b1'), item('a2')];
    expect(names(pickFair(due, new Map([['email', room(10)]]))).sort()).toEqual(['a1', 'a2', 'b1']);
  });

  it('should let environments take turns where there is not', () => {
    const due = [item('a1'), item('a2'), item('a3'), item('a4'), item('b1'), item('c1')];
    expect(names(pickFair(due, new Map([['email', room(4)]])))).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('should give no environment more than its share even where nobody else waits', () => {
    const due = [item('a1'), item('a2'), item('a3')];
    expect(names(pickFair(due, new Map([['email', room(10, 2)]])))).toEqual(['a1', 'a2']);
  });

  it('should keep lanes apart', () => {
    const due = [item('a1', 'email'), item('a2', 'sms'), item('a3', 'email')];
    const rooms = new Map([
      ['email', room(0)],
      ['sms', room(5)],
    ]);
    expect(names(pickFair(due, rooms))).toEqual(['a2']);
  });

  it('should leave lanes that are not asked for', () => {
    expect(pickFair([item('a1', 'push')], new Map([['sms', room(5)]]))).toEqual([]);
  });
});
