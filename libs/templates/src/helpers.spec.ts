import { createRenderer } from './renderer.js';

const renderer = createRenderer();

const CONTEXT = {
  name: 'ada LOVELACE king',
  one: 1,
  two: 2,
  text: '1',
  yes: true,
  date: '2024-03-05T14:07:09.045Z',
  people: [
    { id: 3, name: 'Cy', team: { name: 'red' } },
    { id: 1, name: 'Al', team: { name: 'blue' } },
    { id: 2, name: 'Bo', team: { name: 'red' } },
  ],
  numbers: [10, 9, 1],
  words: ['b', 'a', 'b'],
  mixed: [{ n: 2 }, {}, { n: 1 }, { n: null }],
  odd: { toString: 'not a function', valueOf: 1 },
};

type Row = [template: string, output: string];

const TABLE: Record<string, Row[]> = {
  json: [
    ['{{{json words}}}', '["b","a","b"]'],
    ['{{json one}}', '1'],
    ['{{{json people.[1].team}}}', '{"name":"blue"}'],
    ['{{json words}}', '[&quot;b&quot;,&quot;a&quot;,&quot;b&quot;]'],
    ['{{json missing}}', ''],
  ],
  'and, or, not': [
    ['{{#if (and yes one words)}}yes{{else}}no{{/if}}', 'yes'],
    ['{{#if (and yes missing)}}yes{{else}}no{{/if}}', 'no'],
    ['{{#and yes (gt two one)}}yes{{else}}no{{/and}}', 'yes'],
    ['{{or missing name}}', 'ada LOVELACE king'],
    ['{{or one two}}', '1'],
    ['{{#or missing (not yes)}}yes{{else}}no{{/or}}', 'no'],
    ['{{#if (not missing)}}yes{{/if}}{{#not yes}}no{{/not}}', 'yes'],
    ['{{#with (and yes people.0)}}{{name}}{{/with}}', 'Cy'],
    ['{{#if (or (and))}}yes{{else}}no{{/if}}', 'no'],
  ],
  'places in lists': [
    ['{{words.1}} {{people.1.team.name}} {{json people.2.id}}', 'a blue 2'],
    ['{{#if (equals words.0 "x.1")}}same{{else}}other {{numbers.2}}{{/if}}', 'other 1'],
    ['3.5 {{words.9}}words.1', '3.5 words.1'],
  ],
  equals: [
    ['{{#equals one 1}}same{{else}}other{{/equals}}', 'same'],
    ['{{#equals one text}}same{{else}}other{{/equals}}', 'same'],
    ['{{#equals one two}}same{{else}}other{{/equals}}', 'other'],
    ['{{#equals one two}}same{{/equals}}', ''],
    ['{{#equals odd "x"}}same{{else}}other{{/equals}}', 'other'],
    ['{{#if (equals one text)}}same{{/if}}', 'same'],
    ['{{#equals missing null}}same{{/equals}}', 'same'],
  ],
  'titlecase, uppercase and lowercase': [
    ['{{titlecase name}}', 'Ada Lovelace King'],
    ['{{uppercase name}}', 'ADA LOVELACE KING'],
    ['{{lowercase name}}', 'ada lovelace king'],
    ['{{uppercase missing}}{{titlecase one}}', '1'],
  ],
  uriEncode: [
    ['{{{uriEncode name}}}/{{uriEncode one}}{{uriEncode missing}}', 'ada%20LOVELACE%20king/1'],
    ["{{uriEncode '../../admin?x=1#é&'}}", '..%2F..%2Fadmin%3Fx%3D1%23%C3%A9%26'],
    ["{{uriEncode '...'}}", '...'],
  ],
  pluralize: [
    ['{{pluralize one "apple" "apples"}}', 'apple'],
    ['{{pluralize two "apple" "apples"}}', 'apples'],
    ['{{pluralize text "apple" "apples"}}', 'apple'],
    ['{{pluralize missing "apple" "apples"}}', 'apples'],
    ['{{pluralize words.length one two}}', '2'],
  ],
  dateFormat: [
    ['{{dateFormat date "yyyy-MM-dd HH:mm:ss"}}', '2024-03-05 14:07:09'],
    ['{{dateFormat date "EEEE, MMMM do yyyy"}}', 'Tuesday, March 5th 2024'],
    ['{{dateFormat date "EEE d MMM yy, h:mm a"}}', 'Tue 5 Mar 24, 2:07 PM'],
    ["{{dateFormat date \"M/d/y 'at' hh 'o''clock' aaa\"}}", "3/5/2024 at 02 o'clock pm"],
    ['{{dateFormat date "SSS SS S"}}', '045 04 0'],
    ['{{dateFormat date "PP"}}|{{dateFormat date "PPPP"}}', 'Mar 5, 2024|Tuesday, March 5th, 2024'],
    ['{{dateFormat date "P p"}}', '03/05/2024 2:07 PM'],
    ['{{dateFormat date "QQQ i I XXX xxx"}}', 'Q1 2 10 Z +00:00'],
    ['{{dateFormat date "t"}}', '1709647629'],
    ['{{dateFormat "2024-03-11" "do"}} {{dateFormat "2024-03-22" "do"}}', '11th 22nd'],
    ['{{dateFormat "2024-03-05 10:00" "HH"}}', '10'],
    ['{{dateFormat 0 "yyyy"}}', '1970'],
    ['{{dateFormat "soon" "yyyy"}}', 'soon'],
    ['{{dateFormat missing "yyyy"}}', ''],
    ['{{dateFormat date "YYYY"}}', '2024-03-05T14:07:09.045Z'],
    ['{{dateFormat date "constructor"}}', '2024-03-05T14:07:09.045Z'],
  ],
  unique: [
    ['{{unique words}}', 'b,a'],
    ['{{#each (unique people "team.name")}}{{this}};{{/each}}', 'red;blue;'],
    ['{{unique missing "x"}}', ''],
  ],
  groupBy: [
    ['{{#each (groupBy people "team.name")}}{{key}}:{{#each items}}{{name}}{{/each}} {{/each}}', 'red:CyBo blue:Al '],
    ['{{#each (groupBy missing "x")}}x{{else}}none{{/each}}', 'none'],
  ],
  sortBy: [
    ['{{#each (sortBy people "id")}}{{name}}{{/each}}', 'AlBoCy'],
    ['{{#each (sortBy people "name")}}{{id}}{{/each}}', '123'],
    ['{{sortBy numbers}}', '1,9,10'],
    ['{{sortBy words}}', 'a,b,b'],
    ['{{#each (sortBy mixed "n")}}{{json this}}{{/each}}', '{&quot;n&quot;:1}{&quot;n&quot;:2}{}{&quot;n&quot;:null}'],
    ['{{#each (sortBy people "id")}}{{/each}}{{#each people}}{{id}}{{/each}}', '312'],
  ],
  numberFormat: [
    ['{{numberFormat 1234567.891}}', '1,234,567.89'],
    ['{{numberFormat 1234567.891 decimalLength=0}}', '1,234,568'],
    ['{{numberFormat 1234.5 decimalLength=3 thousandsSep="." decimalSep=","}}', '1.234,500'],
    ['{{numberFormat "999"}}', '999.00'],
    ['{{numberFormat -1234}}', '-1,234.00'],
    ['{{numberFormat 1000 thousandsSep=""}}', '1000.00'],
    ['{{numberFormat 1000000 thousandsSep="$&"}}', '1$&amp;000$&amp;000.00'],
    ['{{numberFormat "many"}}', 'many'],
    ['{{numberFormat 5 decimalLength=999}}', '5.00000000000000000000'],
  ],
  'gt, gte, lt, lte, eq and ne': [
    ['{{#gt two one}}yes{{else}}no{{/gt}}', 'yes'],
    ['{{#gt one one}}yes{{else}}no{{/gt}}', 'no'],
    ['{{#gte one one}}yes{{else}}no{{/gte}}', 'yes'],
    ['{{#lt one two}}yes{{else}}no{{/lt}}', 'yes'],
    ['{{#lte two one}}yes{{else}}no{{/lte}}', 'no'],
    ['{{#eq one 1}}yes{{else}}no{{/eq}}', 'yes'],
    ['{{#eq one text}}yes{{else}}no{{/eq}}', 'no'],
    ['{{#ne one text}}yes{{else}}no{{/ne}}', 'yes'],
    ['{{#if (gt two one)}}yes{{/if}}', 'yes'],
    ['{{#if (eq name "x")}}yes{{else if (ne one two)}}other{{/if}}', 'other'],
    ['{{gt two one}} {{lt two one}}', 'true false'],
    ['{{#gt missing 1}}yes{{else}}no{{/gt}}', 'no'],
    ['{{#gt odd 1}}yes{{else}}no{{/gt}}', 'no'],
    ['{{^gt one two}}not larger{{/gt}}', 'not larger'],
  ],
};

describe('template helpers', () => {
  describe.each(Object.entries(TABLE))('when %s is used', (_, rows) => {
    it.each(rows)('should render %s as %s', (template, output) => {
      expect(renderer.render(template, CONTEXT)).toBe(output);
    });
  });

  describe('when dates are shown in a zone', () => {
    it('should use the zone of the renderer', () => {
      const berlin = createRenderer({ timeZone: 'Europe/Berlin' });
      expect(berlin.render('{{dateFormat date "HH:mm xxx"}}', CONTEXT)).toBe('15:07 +01:00');
    });

    it.each([
      ['"America/New_York"', '09:07 -05:00'],
      ['"america/new_york"', '09:07 -05:00'],
      ['"Asia/Kolkata"', '19:37 +05:30'],
      ['missing', '14:07 +00:00'],
      ['""', '14:07 +00:00'],
      ['"Mars/Olympus"', '14:07 +00:00'],
      ['42', '14:07 +00:00'],
    ])('should use the zone %s', (zone, shown) => {
      expect(renderer.render(`{{dateFormat date "HH:mm xxx" timeZone=${zone}}}`, CONTEXT)).toBe(shown);
    });

    it('should read a date without a zone in that of the renderer', () => {
      const template = '{{dateFormat "2024-03-05 10:00" "HH:mm" timeZone="Europe/Berlin"}}';
      expect(renderer.render(template, CONTEXT)).toBe('11:00');
    });
  });

  describe('when values cannot be shown', () => {
    it('should refuse to show a value that contains itself', () => {
      const loop: Record<string, unknown> = {};
      loop.self = loop;
      expect(() => renderer.render('{{json loop}}', { loop })).toThrow(
        '"json" cannot show a value that is not plain data',
      );
    });
  });
});
