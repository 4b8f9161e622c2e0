import { commandLine } from '#libs/config';
import { DefinitionFolder } from '../files/folder.js';
import { HeraldClient, HeraldUnavailable } from '../files/herald-client.js';
import { KINDS } from '../files/kinds.js';
import type { Wanted } from '../files/plan.js';
import { EXIT, runFilesCommand, type Terminal } from '../files/run-files-command.js';
import { printable } from '../printable.js';
import { CommandError } from '../run-command.js';
import { FolderWatch } from './folder-watch.js';
import type { LiveCommand, LiveStreams } from './live-program.js';
import { optionsIn } from './options.js';
import { PLACE_USAGE, placeIn } from './place.js';

export const DEV_USAGE = `Usage: ${commandLine('dev')} [options]

Watches the workflow files of a directory until Ctrl-C. When one is saved, all are checked and pushed to the environment of
the key, and the address of the preview in the console is printed. Faults are printed with file, line and column, and
nothing is pushed until they are mended. When Herald restarts, dev waits and pushes again.

  --dir FOLDER       directory of the files (default: herald); herald pull makes it
  --open             open the preview in the browser after the first push that changed a workflow
  --prune            also delete what has no file
  --allow-unknown    store unknown template fields instead of rejecting them
  --force            also push to a production environment

${PLACE_USAGE}
The key needs the scopes read and write.
Exit codes: 0 ended by Ctrl-C, 1 refused or not reachable at the start, 2 wrong command line.`;

const OPTIONS = {
  dir: { type: 'string', default: 'herald' },
  open: { type: 'boolean', default: false },
  prune: { type: 'boolean', default: false },
  'allow-unknown': { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const;

const CALL_MS = 15_000;
/** How often it is looked whether Herald has restarted, and with which data. */
const HEARTBEAT_MS = 1_000;
const FAULT = /^\S+\.(?:ya?ml|json):\d+:\d+ /;
/** Steps with a preview. */
const MESSAGES = ['email', 'in_app', 'sms', 'push', 'chat', 'digest'];

interface Settings {
  readonly folder: string;
  readonly prune: boolean;
  readonly allowsUnknown: boolean;
  readonly force: boolean;
}

export const dev: LiveCommand = async (args, env, streams) => {
  const { values, positionals } = optionsIn(args, OPTIONS);
  if (positionals.length > 0) throw new CommandError(DEV_USAGE, 2);
  const { dir: folder, prune, force } = values;
  const place = placeIn(env);
  if (!new DefinitionFolder(folder, 'yaml').exists()) {
    throw new CommandError(
      `The directory ${folder} does not exist. Run herald pull --dir ${folder} first, or set the directory with --dir.`,
    );
  }
  const pusher = new Pusher(new HeraldClient(place, 0), streams, {
    folder,
    prune,
    force,
    allowsUnknown: values['allow-unknown'],
  });
  await pusher.begin();
  const watch = new FolderWatch(folder);
  try {
    let mayOpen = values.open;
    while (!streams.signal.aborted) {
      const isChanged = await watch.changed(HEARTBEAT_MS, streams.signal);
      if (streams.signal.aborted) break;
      const preview = await pusher.look(isChanged);
      if (preview === undefined || !mayOpen) continue;
      mayOpen = false;
      streams.open(preview);
    }
  } finally {
    watch.close();
  }
  return 0;
};

/** Keeps an environment equal to the files. */
class Pusher {
  private environmentId = '';
  private isUp = true;
  private isDone = false;

  constructor(
    private readonly client: HeraldClient,
    private readonly streams: LiveStreams,
    private readonly settings: Settings,
  ) {}

  /** @throws {CommandError} for a production environment */
  async begin(): Promise<void> {
    const { name, id } = await this.environment();
    this.environmentId = id;
    this.say(`Watching ${this.settings.folder} for ${name} at ${this.client.place.url}. Ctrl-C ends.`);
  }

  /** Pushes what is not there. @returns the preview of what has changed */
  async look(isChanged: boolean): Promise<string | undefined> {
    try {
      const { id, name } = await this.environment();
      if (!this.isUp) this.say(`Herald responds again.`);
      // A restarted Herald can have other data.
      if (!this.isUp || id !== this.environmentId || isChanged) this.isDone = false;
      this.environmentId = id;
      this.isUp = true;
      if (this.isDone) return undefined;
      return await this.push(name);
    } catch (error) {
      if (!(error instanceof HeraldUnavailable) || this.streams.signal.aborted) throw error;
      if (this.isUp) this.complain(`${error.message} It is pushed as soon as Herald responds.`);
      this.isUp = false;
      this.isDone = this.isDone && !isChanged;
      return undefined;
    }
  }

  private async push(environment: string): Promise<string | undefined> {
    const { folder, prune, allowsUnknown } = this.settings;
    const saved: Wanted[] = [];
    const terminal: Terminal = {
      print: (line) => this.say(line),
      complain: (line) => this.complain(FAULT.test(line) ? `${folder}/${line}` : line),
      saved: (item) => void saved.push(item),
    };
    const code = await runFilesCommand(
      {
        action: 'push',
        folder,
        format: 'yaml',
        schemas: 'copy',
        kinds: KINDS,
        place: this.client.place,
        isDryRun: false,
        isConfirmed: true,
        prune,
        allowsUnknown,
        isDetailed: false,
        retries: 0,
      },
      terminal,
    );
    // What has faults waits for the next save; what Herald did not answer is tried again.
    this.isDone = code !== EXIT.failed;
    if (code === EXIT.failed) this.isUp = false;
    if (code === EXIT.refused) this.complain(`${environment} is as it was. Mend the files, and save them.`);
    return this.previewOf(saved);
  }

  /** Prints where each changed workflow can be seen. */
  private async previewOf(saved: readonly Wanted[]): Promise<string | undefined> {
    let first: string | undefined;
    for (const { kind, definition } of saved) {
      if (kind.name !== 'workflow') continue;
      const path = `/v1/workflows/${encodeURIComponent(String(definition['identifier']))}`;
      const { data } = await this.client.call('GET', path, undefined, this.options);
      const { _id, steps } = data as Stored;
      const step = steps.find(({ template }) => MESSAGES.includes(template.type));
      const url = `${this.client.place.url}/console/workflows/${_id}${step === undefined ? '' : `/steps/${step._id}`}`;
      this.say(`preview ${url}`);
      first ??= url;
    }
    return first;
  }

  private async environment(): Promise<{ id: string; name: string }> {
    const { data } = await this.client.call('GET', '/v1/environments/me', undefined, this.options);
    const { _id, name, _parentId } = data as { _id: string; name: string; _parentId?: string };
    const isProduction = _parentId !== undefined || /^prod(?:uction)?$/i.test(name);
    if (isProduction && !this.settings.force) {
      throw new CommandError(
        `The key belongs to ${name}, which is a production environment, so that nothing was pushed. Set HERALD_API_KEY to a key of a ` +
          'development environment, copy finished workflows with herald promote, or add --force.',
      );
    }
    return { id: _id, name };
  }

  private get options() {
    return { timeoutMs: CALL_MS, signal: this.streams.signal };
  }

  private say(line: string): void {
    this.streams.out(`${printable(line)}\n`);
  }

  private complain(line: string): void {
    this.streams.err(`${printable(line)}\n`);
  }
}

interface Stored {
  readonly _id: string;
  readonly steps: readonly { readonly _id: string; readonly template: { readonly type: string } }[];
}
