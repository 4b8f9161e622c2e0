import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import prettier from 'prettier';
import { fillIn, UsageError } from './names.mjs';

const SUFFIX = '.tpl';

/** The files that a generator writes; nothing reaches the disk before all of them are known. */
export class Tree {
  #files = new Map();

  /** @param style configuration of Prettier */
  constructor(root, style = join(root, '.prettierrc')) {
    this.root = root;
    this.style = style;
  }

  read(path) {
    return this.#files.get(path) ?? readFileSync(join(this.root, path), 'utf8');
  }

  /** @throws {UsageError} if the file exists already */
  create(path, text) {
    if (existsSync(join(this.root, path))) throw new UsageError(`${path} already exists.`);
    this.#files.set(path, text);
  }

  edit(path, change) {
    this.#files.set(path, change(this.read(path)));
  }

  /** Creates a file from each template of a folder. @param to where a file of a template goes */
  createFrom(folder, forms, to) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.name.endsWith(SUFFIX)) continue;
      const template = join(entry.parentPath, entry.name);
      const path = fillIn(relative(folder, template).slice(0, -SUFFIX.length), forms);
      this.create(to(path), fillIn(readFileSync(template, 'utf8'), forms));
    }
  }

  /** Writes everything, formatted. @returns the paths */
  async write() {
    for (const [path, text] of this.#files) {
      const target = join(this.root, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, await this.#formatted(target, text));
    }
    return [...this.#files.keys()];
  }

  async #formatted(target, text) {
    const { inferredParser } = await prettier.getFileInfo(target);
    if (inferredParser === null) return text;
    const options = await prettier.resolveConfig(target, { config: this.style });
    return prettier.format(text, { ...options, filepath: target });
  }
}
