import { addressIn, NAVIGATION } from './pages.mjs';

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * A page of the site.
 * @param page with `url`, `title` and `section`; `contents` if they are not the headings of its content
 * @param html its content
 */
export function renderPage({ url, title, section, contents }, html, version) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · Herald</title>
<link rel="icon" href="${addressIn('assets/icon.svg')}">
<link rel="stylesheet" href="${addressIn('assets/style.css')}">
<script type="module" src="${addressIn('assets/search.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${addressIn('')}">Herald <span>${escape(version)}</span></a>
<div class="search" role="search" data-root="${addressIn('')}">
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</div>
<a class="api" href="/api">API</a>
</header>
<div class="columns">
<nav aria-label="Pages">
<details class="menu" open><summary>All pages</summary>
${NAVIGATION.map((group) => renderGroup(group, section, url)).join('\n')}
</details>
</nav>
<main id="content" tabindex="-1">
<article>
${html}
</article>
</main>
<aside aria-label="On this page">${contents ?? contentsOf(html)}</aside>
</div>
</body>
</html>
`;
}

function renderGroup({ section, pages }, current, url) {
  const links = pages.map((page) => {
    const mark = page.url === url ? ' aria-current="page"' : '';
    return `<li><a href="${addressIn(page.url)}"${mark}>${escape(page.title)}</a></li>`;
  });
  return `<details${section === current ? ' open' : ''}><summary>${section}</summary><ul>${links.join('\n')}</ul></details>`;
}

function contentsOf(html) {
  const found = html.matchAll(/<h([23]) id="([^"]+)"[^>]*>([\s\S]*?) ?<a class="anchor"/g);
  const links = [...found].map(
    ([, level, id, text]) =>
      `<li class="level-${level}"><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  );
  return links.length > 1 ? `<strong>On this page</strong>\n<ul>${links.join('')}</ul>` : '';
}

/** The first page: the sections with their pages. */
export function renderHome() {
  const cards = NAVIGATION.filter(({ section }) => section !== 'Decisions').map(
    ({ section, pages }) =>
      `<section><h2 id="${section.toLowerCase()}">${section}</h2><ul>${pages.map(({ url, title }) => `<li><a href="${addressIn(url)}">${escape(title)}</a></li>`).join('')}</ul></section>`,
  );
  return `<h1>Herald</h1>
<p class="lead">Herald delivers notifications. You define a workflow once; your code makes one HTTP call, and Herald handles preferences,
digests, delays, templates and delivery, and records what happened to each message.</p>
<p class="start"><a href="${addressIn('manual/tutorial')}">Tutorial</a> <a href="${addressIn('manual/concepts')}">Concepts</a> <a href="/api">API reference</a></p>
<div class="cards">${cards.join('\n')}</div>`;
}
