import type { Schemas } from '../api/client.js';

/** A part of an email that is built from blocks. */
export type Block = Schemas['EmailBlockDto'];
type InnerBlock = Schemas['EmailInnerBlockDto'];

export interface BlockKind {
  readonly type: Block['type'];
  readonly label: string;
  readonly note: string;
  readonly fresh: Block;
}

/** What the menu offers, and what a block begins with. */
const BLOCK_KINDS: readonly BlockKind[] = [
  { type: 'text', label: 'Text', note: 'Words, links and lists', fresh: { type: 'text', content: '' } },
  { type: 'heading', label: 'Heading', note: 'A large line', fresh: { type: 'heading', content: '' } },
  {
    type: 'button',
    label: 'Button',
    note: 'Leads to a page',
    fresh: { type: 'button', content: 'Open', url: 'https://' },
  },
  {
    type: 'image',
    label: 'Image',
    note: 'A picture at an address',
    fresh: { type: 'image', content: '', url: 'https://' },
  },
  { type: 'divider', label: 'Divider', note: 'A thin line', fresh: { type: 'divider', content: '' } },
  {
    type: 'columns',
    label: 'Columns',
    note: 'Side by side; one below the other on a phone',
    fresh: {
      type: 'columns',
      content: '',
      columns: [{ blocks: [{ type: 'text', content: '' }] }, { blocks: [{ type: 'text', content: '' }] }],
    },
  },
  {
    type: 'product',
    label: 'Product row',
    note: 'A row of a receipt, for each of a list',
    fresh: {
      type: 'product',
      content: '{{item.name}}',
      url: '{{item.image}}',
      price: '{{item.price}}',
      each: 'order.items',
    },
  },
  {
    type: 'social',
    label: 'Social links',
    note: 'Where else you are',
    fresh: { type: 'social', content: '', links: [{ text: 'LinkedIn', url: 'https://' }] },
  },
  {
    type: 'footer',
    label: 'Footer',
    note: 'The link to unsubscribe and your address',
    fresh: { type: 'footer', content: '<a href="{{unsubscribeUrl}}">Unsubscribe</a>' },
  },
];

export function kindOfBlock(type: Block['type']): BlockKind {
  return BLOCK_KINDS.find((kind) => kind.type === type) as BlockKind;
}

/** Columns do not stand in columns. */
export function innerBlocks(blocks: readonly Block[]): InnerBlock[] {
  return blocks.flatMap(({ columns: _columns, type, ...rest }) => (type === 'columns' ? [] : [{ ...rest, type }]));
}

/** Kinds whose label, type or note has the typed words. */
export function kindsFor(typed: string, isInner: boolean): BlockKind[] {
  const words = typed.trim().toLowerCase();
  return BLOCK_KINDS.filter(
    ({ type, label, note }) =>
      !(isInner && type === 'columns') && `${label} ${type} ${note}`.toLowerCase().includes(words),
  );
}
