import { AppConfig } from '#libs/config';
import { requestContext } from './request-context.js';
import { AppLogger } from './app-logger.js';

type Line = Record<string, unknown>;

function logger(level: string): { log: AppLogger; lines: Line[] } {
  const lines: Line[] = [];
  const write = (text: string): void => void lines.push(JSON.parse(text) as Line);
  return { log: new AppLogger(AppConfig.from({ LOG_LEVEL: level }), { write }), lines };
}

describe('AppLogger', () => {
  it('should write JSON with level, time and message', () => {
    const { log, lines } = logger('info');
    log.event('info', 'request', { status: 200 });
    expect(lines).toEqual([
      { level: 'info', time: expect.stringMatching(/Z$/) as string, msg: 'request', status: 200 },
    ]);
  });

  it('should add the id of the request that is being handled', () => {
    const { log, lines } = logger('info');
    const request = { headers: { 'x-request-id': 'abc-1' } } as never;
    requestContext(request, { setHeader: () => undefined } as never, () => log.event('warn', 'inside'));
    log.event('warn', 'outside');
    expect(lines.map((line) => line['requestId'])).toEqual(['abc-1', undefined]);
  });

  it.each(['authorization', 'credentials', 'apiKey', 'password'])('should never write %s of an object', (key) => {
    const { log, lines } = logger('info');
    log.event('info', 'x', { integration: { [key]: 'secret' } });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it.each(['authorization', 'x-api-key', 'X-Api-Key'])('should never write the header %s of a request', (name) => {
    const { log, lines } = logger('info');
    const headers = { [name]: 'secret' };
    log.event('info', 'x', { headers, request: { headers }, ...headers });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('should leave out what is below its level', () => {
    const { log, lines } = logger('warn');
    log.event('info', 'x');
    log.log('chatter of the framework');
    log.warn('y');
    expect(lines.map((line) => line['msg'])).toEqual(['y']);
  });

  it('should leave faults of the start to whoever starts the application', () => {
    const { log, lines } = logger('info');
    log.error(new Error('no store'), 'ExceptionHandler');
    expect(lines).toEqual([]);
  });

  it('should write an error with its stack', () => {
    const { log, lines } = logger('info');
    log.error(new Error('broken'), 'Context');
    expect(lines[0]).toMatchObject({
      level: 'error',
      msg: 'broken',
      err: { stack: expect.stringContaining('broken') as string },
    });
  });
});
