import type { OpenAPIObject } from '@nestjs/swagger';
import type { PluginDescription } from '../plugin-host/index.js';
import { html, type Html, joined, plainText } from './html.js';
import { type Section, sectionsOf } from './sections.js';

const TITLE = 'Plugins of this installation';
const LEAD_LENGTH = 160;

/** Format of `tools/docs-site`. */
interface SearchEntry {
  readonly id: string;
  /** Relative to the site. */
  readonly url: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly lead: string;
}

export interface PluginPage {
  /** HTML. */
  readonly content: string;
  /** HTML list of links to headings; empty if there are none. */
  readonly contents: string;
  readonly searchEntries: readonly SearchEntry[];
}

/** @param url relative to the site */
export function pluginPage(plugins: readonly PluginDescription[], document: OpenAPIObject, url: string): PluginPage {
  const sections = plugins.flatMap((plugin) => sectionsOf(plugin, document));
  return {
    content: joined([introduction(plugins.length), ...sections.map(renderSection)], '\n').text,
    contents:
      sections.length === 0
        ? ''
        : html`<strong>On this page</strong>
            <ul>
              ${sections.map(renderLink)}
            </ul>`.text,
    searchEntries: sections.map((section) => searchEntry(section, url)),
  };
}

function introduction(count: number): Html {
  const about = html`<a href="/docs/manual/plugins">Plugins</a>`;
  if (count === 0) return html`<p>This Herald runs without plugins. ${about} says how to write and load them.</p>`;
  return html`<p>
    What ${count === 1 ? 'a plugin adds' : `${count} plugins add`} to this Herald. ${about} says how they are written
    and loaded.
  </p>`;
}

function renderSection({ id, level, title, body }: Section): Html {
  const anchor = html`<a class="anchor" href="#${id}" aria-hidden="true">#</a>`;
  const heading =
    level === 2
      ? html`<h2 id="${id}" tabindex="-1">${title} ${anchor}</h2>`
      : html`<h3 id="${id}" tabindex="-1">${title} ${anchor}</h3>`;
  return html`${heading} ${body}`;
}

function renderLink({ id, level, title }: Section): Html {
  return html`<li class="level-${level}"><a href="#${id}">${title}</a></li>`;
}

function searchEntry({ id, title, body }: Section, url: string): SearchEntry {
  const text = plainText(body);
  return {
    id: `${url}#plugin-${id}`,
    url: `${url}#${id}`,
    title: TITLE,
    heading: title,
    text,
    lead: text.slice(0, LEAD_LENGTH),
  };
}
