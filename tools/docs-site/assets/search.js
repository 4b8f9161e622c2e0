/* global document, matchMedia */
import MiniSearch from './minisearch.js';
import { OPTIONS } from './search-options.js';

const MOST_RESULTS = 12;
const HOW = {
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  boost: { heading: 4, title: 2 },
  combineWith: 'AND',
  boostDocument: (id) => (/^(adr\/|changelog)/.test(id) ? 0.3 : /^manual\//.test(id) ? 1.5 : 1),
};

const box = document.querySelector('.search');
const input = document.querySelector('#search');
const list = document.querySelector('#results');
const root = box.dataset.root;
let loading;
let selected = -1;

/** The index is loaded when the box is used for the first time. */
const load = () => (loading ??= loadIndex());

/** The index of the site, with what this Herald says about its plugins. */
async function loadIndex() {
  const [site, plugins] = await Promise.all([
    fetch(`${root}/assets/search-index.json`).then((response) => response.text()),
    fetch(`${root}/assets/installed-plugins.json`).then((response) => (response.ok ? response.json() : [])),
  ]);
  const index = MiniSearch.loadJSON(site, OPTIONS);
  index.addAll(plugins);
  return index;
}

input.addEventListener('focus', load, { once: true });
input.addEventListener('input', show);
input.addEventListener('keydown', (event) => {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move !== undefined) select(selected + move);
  else if (event.key === 'Enter') list.children[Math.max(selected, 0)]?.querySelector('a')?.click();
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  if (!box.contains(event.target)) close();
});

async function show() {
  const text = input.value.trim();
  if (text === '') return close();
  const index = await load();
  if (input.value.trim() !== text) return;
  const found = index.search(text, HOW).slice(0, MOST_RESULTS);
  list.replaceChildren(...(found.length === 0 ? [nothing()] : found.map(entry)));
  list.hidden = false;
  input.setAttribute('aria-expanded', 'true');
  select(found.length === 0 ? -1 : 0);
}

function entry({ title, heading, url, lead }, at) {
  const item = document.createElement('li');
  item.id = `result-${at}`;
  item.role = 'option';
  const link = document.createElement('a');
  link.href = `${root}/${url}`;
  link.tabIndex = -1;
  link.hidden = true;
  const [name, place] = [document.createElement('strong'), document.createElement('span')];
  name.textContent = heading;
  place.textContent = heading === title ? lead : `${title} · ${lead}`;
  item.append(name, place, link);
  item.addEventListener('click', (event) => {
    if (event.target !== link) link.click();
    close();
  });
  item.addEventListener('mousemove', () => select(at));
  return item;
}

function nothing() {
  const item = document.createElement('li');
  item.className = 'none';
  item.textContent = 'Nothing found.';
  return item;
}

function select(at) {
  const options = [...list.querySelectorAll('[role=option]')];
  selected = options.length === 0 ? -1 : (at + options.length) % options.length;
  options.forEach((option, place) => option.setAttribute('aria-selected', String(place === selected)));
  const option = options[selected];
  option?.scrollIntoView({ block: 'nearest' });
  if (option === undefined) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', option.id);
}

function close() {
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
  input.removeAttribute('aria-activedescendant');
}

// On a small screen the list of pages would hide the page itself.
const menu = document.querySelector('.menu');
if (matchMedia('(max-width: 50rem)').matches) menu.open = false;
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
