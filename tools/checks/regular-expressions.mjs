import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import ts from 'typescript';

/** The program's own source, without tests and test kits. */
const SOURCES = ['src', 'libs', 'apps', 'packages'];
const NO_SOURCE = /^(node_modules|test)$|\.(spec|e2e-spec|d)\.ts$/;

/** Every regular expression literal in the program's source, and every file that builds one from a string. */
export function regularExpressionsOf(root) {
  const literals = new Map();
  const made = [];
  for (const file of SOURCES.flatMap((folder) => filesIn(root, folder))) {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node) => {
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) literals.set(node.text, file);
      if (ts.isNewExpression(node) && node.expression.text === 'RegExp') made.push(file);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { literals: [...literals].map(([text, file]) => ({ text, file })), made };
}

function filesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NO_SOURCE.test(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(root, path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

/** Compiles a literal. */
export function compile(literal) {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/**
 * Texts that make a matcher work hard: repeated parts of the expression, alone and in pairs, after a prefix that leads to
 * them, and before a suffix that does not match.
 */
export function* hostileTexts(literal, length) {
  const parts = partsOf(literal);
  const whole = parts[0] ?? '';
  const seeds = [...new Set([...parts, ...parts.flatMap((part) => [part.slice(0, 1), part.slice(-1)])])]
    .filter(Boolean)
    .slice(0, 12);
  for (const seed of seeds) {
    yield fill(seed, length);
    for (const lead of [whole, ...leadsOf(whole)]) yield `${lead}${fill(seed, length)}`;
    for (const end of ['\0', '!', '\n', whole]) yield `${fill(seed, length)}${end}`;
  }
  const few = seeds.slice(0, 6);
  for (const first of few) {
    for (const second of few) {
      if (first === second) continue;
      yield fill(first + second, length);
      yield `${fill(first, length / 2)}${fill(second, length / 2)}\0`;
    }
    for (const joint of [' ', '.', '/', '\n', ':', '-', '!', '<', '"']) yield fill(first + joint, length);
  }
}

/** Beginnings of a text that matches. */
function leadsOf(text) {
  return [1, 2, Math.floor(text.length / 2), text.length - 1].filter((end) => end > 0).map((end) => text.slice(0, end));
}

/** A text for the whole expression and for each of its parts, the whole first. */
function partsOf(literal) {
  const tree = new RegExpParser().parseLiteral(literal);
  const found = new Set([sampleOf(tree.pattern)]);
  const add = (node) => found.add(sampleOf(node));
  visitRegExpAST(tree, {
    onAlternativeEnter: add,
    onQuantifierEnter: (node) => {
      add(node.element);
      found.add(sampleOf(node.element).repeat(Math.min(Math.max(node.min, 2), 100)));
    },
    onCharacterClassEnter: (node) => {
      for (const element of node.elements.slice(0, 8)) add(element);
    },
    onCharacterSetEnter: add,
    onCapturingGroupEnter: add,
    onGroupEnter: add,
  });
  return [...found];
}

/** Sample characters for a negated class: the first that it contains is used. */
const CANDIDATES = 'a1 /.-:@=<>"\'\n\u00e9~'.split('');
const SETS = { digit: '1', space: ' ', word: 'a', any: 'a' };

function sampleOf(node) {
  switch (node.type) {
    case 'Pattern':
    case 'CapturingGroup':
    case 'Group':
      return sampleOf(node.alternatives[0]);
    case 'Alternative':
      return node.elements.map(sampleOf).join('');
    case 'Quantifier':
      return sampleOf(node.element).repeat(Math.min(Math.max(node.min, node.max > 0 ? 1 : 0), 100));
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClassRange':
      return sampleOf(node.min);
    case 'CharacterSet':
      return node.kind === 'property' ? ' ' : node.negate ? '!' : SETS[node.kind];
    case 'CharacterClass':
      return node.negate ? outsideOf(node) : node.elements.length > 0 ? sampleOf(node.elements[0]) : '';
    default:
      return '';
  }
}

function outsideOf(node) {
  const inside = new RegExp(node.raw.replace('[^', '['), 'u'.repeat(Number(/\\p|\\u\{/.test(node.raw))));
  return CANDIDATES.find((candidate) => !inside.test(candidate)) ?? 'a';
}

function fill(seed, length) {
  return seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
}
