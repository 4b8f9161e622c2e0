export interface ServerEvent {
  readonly type: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** What is read of a body. That of `fetch` gives bytes, that of React Native text. */
interface Body {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | string }>; cancel(): Promise<void> };
}

/** Reads server-sent events. A comment, with which the server shows that it is alive, is undefined. */
export async function* readEvents(body: Body): AsyncGenerator<ServerEvent | undefined> {
  const reader = body.getReader();
  let decoder: TextDecoder | undefined;
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = typeof value === 'string' ? value : (decoder ??= new TextDecoder()).decode(value, { stream: true });
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield parse(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', text = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    const before = fields.get(name);
    fields.set(name, name === 'data' && before !== undefined ? `${before}\n${text}` : text);
  }
  const data = fields.get('data');
  return data === undefined ? undefined : { type: fields.get('event') ?? 'message', id: fields.get('id'), data };
}
