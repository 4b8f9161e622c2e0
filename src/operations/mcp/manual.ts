import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type MiniSearch from 'minisearch';

const MAX_SECTION = 2_500;
/** A shorter word would begin too many others. */
const LONGEST_WHOLE = 3;
const HEADING = /^#{1,4} /;
/** Pages for those who develop Herald are of no use to an agent. */
const LEFT_OUT = /(?:^|\/)(?:adr|node_modules|assets|images|decisions)(?:\/|$)/;

export interface ManualSection {
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

interface Indexed extends ManualSection {
  readonly id: string;
  /** Of which `text` is the beginning. */
  readonly whole: string;
}

/** The pages of the manual, section by section. They are read when somebody searches for the first time. */
@Injectable()
export class Manual {
  private folders: readonly string[] = [];
  private reading: Promise<MiniSearch<Indexed>> | undefined;

  /** @param folders the first that has pages is taken */
  readFrom(folders: readonly string[]): void {
    this.folders = folders;
    this.reading = undefined;
  }

  /** The best ones first; none if this installation has no documentation. */
  async search(query: string, limit: number): Promise<ManualSection[]> {
    const index = await (this.reading ??= this.read());
    const found = index.search(query).slice(0, limit) as unknown as ManualSection[];
    return found.map(({ page, title, text }) => ({ page, title, text }));
  }

  private async read(): Promise<MiniSearch<Indexed>> {
    const { default: Index } = await import('minisearch');
    const index = new Index<Indexed>({
      fields: ['title', 'whole'],
      storeFields: ['page', 'title', 'text'],
      processTerm: wordOf,
      searchOptions: { boost: { title: 2 }, prefix: (term) => term.length > LONGEST_WHOLE },
    });
    for (const folder of this.folders) {
      const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
      const pages = names.filter((name) => name.endsWith('.md') && !LEFT_OUT.test(name)).sort();
      // A portion at a time: other requests go on meanwhile.
      for (const page of pages) await index.addAllAsync(sectionsOf(page, await readFile(join(folder, page), 'utf8')));
      if (pages.length > 0) break;
    }
    return index;
  }
}

function sectionsOf(path: string, markdown: string): Indexed[] {
  const page = path.replaceAll('\\', '/');
  const sections: { title: string; lines: string[] }[] = [];
  let isInCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isInCode = !isInCode;
    if (!isInCode && HEADING.test(line)) sections.push({ title: line.replace(HEADING, ''), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  const [first] = sections;
  return sections.map(({ title, lines }, place) => {
    const whole = lines.join('\n').trim();
    return {
      id: `${page} ${place}`,
      page,
      title: first === undefined || first.title === title ? title : `${first.title}: ${title}`,
      text: whole.length > MAX_SECTION ? `${whole.slice(0, MAX_SECTION)}…` : whole,
      whole,
    };
  });
}

/** Without the end of a plural, so that digest finds digests. */
function wordOf(term: string): string | null {
  return term.length < 2 ? null : term.toLowerCase().replace(/(?<=\w{3})s$/, '');
}
