import { FilesUsageError, parseFilesCommand } from './command.js';

const ENV = { HERALD_API_KEY: 'a-key' };

describe('parseFilesCommand', () => {
  it('should have defaults', () => {
    expect(parseFilesCommand(['pull'], ENV)).toMatchObject({
      action: 'pull',
      folder: 'herald',
      format: 'yaml',
      schemas: 'copy',
      place: { url: 'http://127.0.0.1:3000', key: 'a-key' },
      isDryRun: false,
      prune: false,
      allowsUnknown: false,
    });
  });

  it('should read both places of promote', () => {
    const env = { ...ENV, HERALD_URL: 'https://dev.example.com/', HERALD_TARGET_API_KEY: 'b-key' };
    expect(parseFilesCommand(['promote', '--yes', '--kinds', 'workflow,layout'], env)).toMatchObject({
      place: { url: 'https://dev.example.com' },
      target: { url: 'https://dev.example.com', key: 'b-key' },
      kinds: [{ name: 'layout' }, { name: 'workflow' }],
      isConfirmed: true,
    });
  });

  it.each([
    ['no command', [], ENV, 'Usage'],
    ['an unknown command', ['fetch'], ENV, 'Usage'],
    ['an unknown option', ['push', '--force'], ENV, '--force'],
    ['an unknown format', ['pull', '--format', 'toml'], ENV, '--format'],
    ['an unknown place of schemas', ['pull', '--schemas', 'none'], ENV, '--schemas'],
    ['an unknown kind', ['pull', '--kinds', 'topic'], ENV, "'topic'"],
    ['no key', ['pull'], {}, 'HERALD_API_KEY'],
    ['no key of the target', ['promote'], ENV, 'HERALD_TARGET_API_KEY'],
    [
      'a password in the address',
      ['pull'],
      { ...ENV, HERALD_URL: 'http://a:secret@b' },
      'HERALD_URL must not contain a user',
    ],
    ['another protocol', ['pull'], { ...ENV, HERALD_URL: 'ftp://b' }, 'HERALD_URL'],
  ])('should refuse %s', (_case, args, env, text) => {
    const run = (): unknown => parseFilesCommand(args, env);
    expect(run).toThrow(FilesUsageError);
    expect(run).toThrow(text);
  });
});
