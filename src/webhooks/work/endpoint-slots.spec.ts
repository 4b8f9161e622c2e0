import { EndpointSlots } from './endpoint-slots.js';
import { pickByEndpoint } from './pick-by-endpoint.js';

const pick = (due: string[], slots: EndpointSlots): string[] => pickByEndpoint(due, slots, (item) => item.charAt(0));

describe('pickByEndpoint', () => {
  it('should let endpoints take turns', () => {
    expect(pick(['a1', 'a2', 'a3', 'b1', 'c1'], new EndpointSlots(4, 4))).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('should not give one endpoint more than its share, however much waits for it', () => {
    expect(pick(['a1', 'a2', 'a3', 'b1'], new EndpointSlots(10, 2))).toEqual(['a1', 'b1', 'a2']);
  });

  it('should pass over an endpoint whose places are all taken', () => {
    const slots = new EndpointSlots(10, 2);
    slots.take('a');
    slots.take('a');
    expect(pick(['a1', 'b1'], slots)).toEqual(['b1']);
    expect(pick(['a1'], slots)).toEqual([]);
  });

  it('should pick nothing where all places are taken', () => {
    const slots = new EndpointSlots(1, 1);
    slots.take('a');
    expect(pick(['b1'], slots)).toEqual([]);
  });
});

describe('EndpointSlots.release', () => {
  it('should say when somebody may have waited', () => {
    const slots = new EndpointSlots(3, 2);
    slots.take('a');
    slots.take('a');
    expect(slots.release('a')).toBe(true);
    expect(slots.release('a')).toBe(false);
    expect(slots.free).toBe(3);
  });
});
