import { readEvents, type ServerEvent } from './sse.js';

async function eventsOf(...chunks: readonly (string | Uint8Array)[]): Promise<(ServerEvent | undefined)[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  const events: (ServerEvent | undefined)[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

describe('readEvents', () => {
  const event = { type: 'counts', id: 'a.1', data: '{"n":1}' };

  it('should read an event, also in pieces', async () => {
    const text = 'event: counts\nid: a.1\ndata: {"n":1}\n\n';
    expect(await eventsOf(text)).toEqual([event]);
    expect(await eventsOf(...text)).toEqual([event]);
  });

  it('should read letters of which the parts come apart', async () => {
    const bytes = new TextEncoder().encode('data: Grüße\n\n');
    const events = await eventsOf(...[...bytes].map((byte) => Uint8Array.of(byte)));
    expect(events).toEqual([{ type: 'message', id: undefined, data: 'Grüße' }]);
  });

  it('should show comments and settings as signs of life, and drop an event without its end', async () => {
    expect(await eventsOf('retry: 2000\n\n', ': \n\n', 'data: 1\ndata: 2\n\n', 'data: cut')).toEqual([
      undefined,
      undefined,
      { type: 'message', id: undefined, data: '1\n2' },
    ]);
  });
});
