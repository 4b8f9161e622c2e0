import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefinitionText, printJson, printYaml } from './definition-text.js';
import { type Definition, identityOf, type Kind, keyOf } from './kinds.js';

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const SCHEMA_FOLDER = '.schemas';
/** Tests of workflows stand beside them, and are no definitions. */
export const TEST_FILE = /\.test\.(?:ya?ml|json)$/;

/** A file that could be read. */
export interface DefinitionFile {
  readonly kind: Kind;
  /** Relative to the folder. */
  readonly path: string;
  readonly text: DefinitionText;
  readonly definition: Definition;
}

/** A fault of a file, for a reader: `workflows/order.yaml:3:5 name must be a string`. */
export type FileFault = string;

export interface FolderContent {
  readonly files: readonly DefinitionFile[];
  readonly faults: readonly FileFault[];
}

/** A file would be written outside the folder. */
export class LinkError extends Error {}

/** Files of definitions: one folder for each kind, one file for each record. */
export class DefinitionFolder {
  /** @param schemaUrl address that new files name for their schemas, above the names; absent: copies in the folder */
  constructor(
    readonly path: string,
    private readonly format: 'yaml' | 'json',
    private readonly schemaUrl = `../${SCHEMA_FOLDER}`,
  ) {}

  exists(): boolean {
    return existsSync(this.path);
  }

  read(kinds: readonly Kind[]): FolderContent {
    const [files, faults]: [DefinitionFile[], FileFault[]] = [[], []];
    const pathOfKey = new Map<string, string>();
    for (const kind of kinds) {
      for (const path of this.pathsOf(kind)) {
        const text = DefinitionText.parse(readFileSync(join(this.path, path), 'utf8'));
        const { definition } = text;
        const own = [...text.faults.map((fault) => faultText(path, fault)), ...identityFaults(kind, path, text)];
        const twin = own.length === 0 ? pathOfKey.get(keyOf(kind, definition)) : undefined;
        if (twin !== undefined)
          own.push(`${path}:1:1 describes the same ${kind.name} as ${twin}. Delete one of the files.`);
        faults.push(...own);
        if (own.length > 0) continue;
        pathOfKey.set(keyOf(kind, definition), path);
        files.push({ kind, path, text, definition });
      }
    }
    return { files, faults };
  }

  /** Writes a definition into the file that describes the record, or into a new one. @returns its path */
  write(kind: Kind, definition: Definition, file: DefinitionFile | undefined): string {
    const path = file?.path ?? this.newPath(kind, definition);
    const schema = `${this.schemaUrl}/${kind.name}.json`;
    if (extname(path) === '.json') this.save(path, printJson(definition, file?.text.schema ?? schema));
    else this.save(path, file ? file.text.withDefinition(definition) : printYaml(definition, schema));
    return path;
  }

  /**
   * Writes the JSON schema of a kind, to which files refer.
   * @param served what Herald serves; absent: that of this version
   */
  writeSchema({ name }: Pick<Kind, 'name'>, served: object | undefined): void {
    const text = served === undefined ? ownSchema(name) : `${JSON.stringify(served, null, 2)}\n`;
    this.save(`${SCHEMA_FOLDER}/${name}.json`, text);
  }

  private pathsOf({ folder }: Kind): string[] {
    const path = join(this.path, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .filter((name) => EXTENSIONS.includes(extname(name)) && !TEST_FILE.test(name))
      .sort()
      .map((name) => `${folder}/${name}`);
  }

  private newPath(kind: Kind, definition: Definition): string {
    const name = identityOf(kind, definition).map(fileName).join('.');
    for (let number = 1; ; number += 1) {
      const path = `${kind.folder}/${name}${number === 1 ? '' : `-${number}`}.${this.format}`;
      if (!existsSync(join(this.path, path))) return path;
    }
  }

  /** In one step, so that an interruption leaves the former file. */
  private save(path: string, text: string): void {
    const target = join(this.path, path);
    mkdirSync(dirname(target), { recursive: true });
    if (!`${realpathSync(dirname(target))}${sep}`.startsWith(`${realpathSync(this.path)}${sep}`)) {
      throw new LinkError(
        `${dirname(target)} is a link to a directory outside ${this.path}. Replace it with a directory.`,
      );
    }
    // The folder may come from others, with links under names that can be guessed.
    const draft = `${target}.${randomUUID()}`;
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, target);
  }
}

export function faultText(
  path: string,
  { line, column, message }: { line: number; column: number; message: string },
): FileFault {
  return `${path}:${line}:${column} ${message}`;
}

function identityFaults({ identity }: Kind, path: string, text: DefinitionText): FileFault[] {
  if (text.faults.length > 0) return [];
  return identity
    .filter((field) => typeof text.definition[field] !== 'string' || text.definition[field] === '')
    .map((field) =>
      faultText(path, { ...text.placeOf(field), message: `${field} must be a string that identifies the record` }),
    );
}

/** Characters that some file systems refuse, and a leading dot, are encoded. */
function fileName(name: string): string {
  return name.replace(/^\.|[^\p{L}\p{N} ._-]/gu, encodeByte).slice(0, 100);
}

function encodeByte(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The text of the JSON schema of a kind, as this version of Herald has it. */
export function ownSchema(kind: string): string {
  return readFileSync(join(schemaFolder(), `${kind}.json`), 'utf8');
}

/** The schemas of this version of Herald, from the program or from its compiled form. */
function schemaFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'schemas');
    if (existsSync(join(found, 'workflow.json'))) return found;
    if (dirname(folder) === folder) throw new Error('The schemas directory of Herald is missing.');
  }
}
