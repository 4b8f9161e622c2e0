import { z } from 'zod';
import { flag, list, object, rule, text, unchecked } from './declare.js';
import { described, documentAs, open } from './document.js';
import { withoutNulls } from './without-nulls.js';

const link = open(
  object({ url: text(9).nullish(), kept: described(text(9).nullish(), { description: '', nullable: true }) }),
);
const mail = open(object({ type: z.literal('mail'), subject: text(9).nullish() }));
const call = open(object({ type: described(z.literal('call'), { description: '' }), method: text(9).nullish() }));
const schema = rule(
  object({
    name: text(9),
    note: text(9).nullish(),
    isOn: flag().optional(),
    link: link.nullish(),
    links: list(link, { error: '' }).nullish(),
    either: z.union([text(9), list(link, { error: '' })]).nullish(),
    template: documentAs(z.union([mail, call]), z.unknown()),
    part: object({ value: described(text(9).optional(), { description: '', nullable: true }) }).partial(),
    anything: unchecked(z.record(z.string(), z.unknown())),
  }),
  () => undefined,
);

describe('withoutNulls', () => {
  it.each([
    ['members that may be absent', { name: 'a', note: null, isOn: null }, { name: 'a' }],
    ['whole objects and lists', { link: null, links: null, either: null }, {}],
    ['members of objects', { link: { url: null } }, { link: {} }],
    ['members of entries', { links: [{ url: null }, { url: 'a' }] }, { links: [{}, { url: 'a' }] }],
    ['a list where a text may be', { either: [{ url: null }] }, { either: [{}] }],
    ['what is declared for the type', { template: { type: 'call', method: null } }, { template: { type: 'call' } }],
  ])('should leave out %s', (_what, value, kept) => {
    expect(withoutNulls(schema, value)).toEqual(kept);
  });

  it.each([
    ['where one is needed', { name: null, template: null }],
    ['with a meaning of their own', { link: { kept: null } }],
    ['with a meaning of their own in an object of which nothing is needed', { part: { value: null } }],
    ['in members that are not declared', { other: null, link: { other: { url: null } } }],
    ['of another type', { template: { type: 'mail', method: null } }],
    ['of a type that is unknown', { template: { type: 'x', method: null }, link: 'text', links: [null, 1] }],
    ['in values without a schema', { anything: { url: null, none: [null] } }],
  ])('should keep nulls %s, and the value as it is', (_where, value) => {
    const sent = structuredClone(value);
    expect(withoutNulls(schema, sent)).toBe(sent);
    expect(sent).toEqual(value);
  });

  it('should change nothing of what was sent', () => {
    const sent = { note: null, links: [{ url: null }] };
    withoutNulls(schema, sent);
    expect(sent).toEqual({ note: null, links: [{ url: null }] });
  });

  it.each([null, undefined, 5, 'text', [], [null]])('should let %j be', (value) => {
    expect(withoutNulls(schema, value)).toBe(value);
  });
});
