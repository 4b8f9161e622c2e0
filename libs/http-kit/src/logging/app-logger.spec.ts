import { AppConfig } from '#libs/config';
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

  it('should write the end of a request as any other line, with its id', () => {
    const { log, lines } = logger('info');
    log.request({ requestId: 'abc-1', method: 'GET', route: '/v1/feeds/:feedId', status: 200, ms: 1.5 });
    log.request({ requestId: 'abc-2', method: 'GET', route: 'unmatched', status: 'aborted', ms: 0 });
    const common = { level: 'info', time: expect.stringMatching(/Z$/) as string, msg: 'request', method: 'GET' };
    expect(lines).toEqual([
      { ...common, requestId: 'abc-1', route: '/v1/feeds/:feedId', status: 200, ms: 1.5 },
      { ...common, requestId: 'abc-2', route: 'unmatched', status: 'aborted', ms: 0 },
    ]);
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
    log.request({ requestId: 'abc-1', method: 'GET', route: '/', status: 200, ms: 1 });
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
