import MiniSearch from 'minisearch';
import { OPTIONS } from './assets/search-options.js';

const LEAD_LENGTH = 160;
/** Of a long section, the words that come later are seldom what it is about. */
const MAX_LENGTH = 6_000;

/**
 * The index of the search, as JSON: one entry for each section of each page.
 * @param pages with `url`, `title` and their `html`
 */
export function searchIndex(pages) {
  const index = new MiniSearch(OPTIONS);
  for (const { url, title, html } of pages) {
    for (const [part, section] of html.split(/(?=<h[23] id=)/).entries()) {
      const [, id, heading] = /^<h[23] id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(section) ?? [];
      const text = textOf(section.replace(/^<h\d[\s\S]*?<\/h\d>/, ''));
      const entry = {
        title,
        heading: heading === undefined ? title : textOf(heading),
        text: text.slice(0, MAX_LENGTH),
      };
      index.add({
        id: `${url}#${part}`,
        url: id === undefined ? url : `${url}#${id}`,
        lead: text.slice(0, LEAD_LENGTH),
        ...entry,
      });
    }
  }
  return JSON.stringify(index);
}

function textOf(html) {
  const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return html
    .replace(/<a class="anchor"[\s\S]*?<\/a>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(lt|gt|quot|amp);/g, (entity) => entities[entity])
    .replace(/\s+/g, ' ')
    .trim();
}
