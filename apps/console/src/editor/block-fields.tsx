import type { VNode } from 'preact';
import { FaultsOf, Field, SelectField } from '../ui/fields.js';
import { type Block, innerBlocks } from './block-kinds.js';
import { ImageUpload } from './image-upload.js';
import { LiveField } from './live-fields.js';
import { RichField, ValueMenu } from './rich-field.js';
import type { Suggestion } from './suggestions.js';

export interface FieldsProps {
  readonly block: Block;
  readonly suggestions: readonly Suggestion[];
  readonly onBlock: (block: Block, about: string) => void;
  readonly onSlash: () => void;
  /** Makes the form of a column. */
  readonly columnForm: (column: Column) => VNode;
}

interface Column {
  readonly legend: string;
  readonly blocks: readonly Block[];
  readonly onBlocks: (blocks: readonly Block[], about: string) => void;
}

const RICH: Readonly<Partial<Record<Block['type'], string>>> = {
  text: 'Text',
  heading: 'Heading',
  footer: 'Footer',
  product: 'Name',
};

/** What a block says. */
export function BlockFields({ block, suggestions, onBlock, onSlash, columnForm }: FieldsProps): VNode | null {
  const { type, content } = block;
  const rich = RICH[type];
  return (
    <>
      {rich !== undefined && (
        <RichField
          label={rich}
          path="content"
          html={content}
          suggestions={suggestions}
          onSlash={type === 'text' ? onSlash : undefined}
          onHtml={(html) => onBlock({ ...block, content: html }, 'content')}
        />
      )}
      {type === 'product' && (
        <div class="two-fields">
          <UrlField label="Address of the picture" {...{ block, suggestions, onBlock }} />
          <LiveField
            label="Price"
            path="price"
            isCode
            value={block.price ?? ''}
            onInput={(price) => onBlock({ ...block, price }, 'price')}
          />
        </div>
      )}
      {(type === 'button' || type === 'image') && (
        <div class="two-fields">
          <LiveField
            label={type === 'image' ? 'Description of the image' : 'Button'}
            path="content"
            value={content}
            onInput={(words) => onBlock({ ...block, content: words }, 'content')}
          />
          <UrlField label={type === 'image' ? 'Address of the image' : 'Link'} {...{ block, suggestions, onBlock }} />
        </div>
      )}
      {type === 'social' && <LinkFields block={block} onBlock={onBlock} />}
      {type === 'columns' && <ColumnFields {...{ block, onBlock, columnForm }} />}
    </>
  );
}

type PartProps = Pick<FieldsProps, 'block' | 'suggestions' | 'onBlock'>;

function UrlField({ label, block, suggestions, onBlock }: PartProps & { readonly label: string }): VNode {
  const set = (url: string): void => onBlock({ ...block, url }, 'url');
  return (
    <div class="with-values">
      <LiveField
        label={label}
        path="url"
        isCode
        value={block.url ?? ''}
        placeholder="https://example.com/{{order.id}}"
        onInput={set}
      />
      <div class="button-line">
        <ValueMenu suggestions={suggestions} onValue={(name) => set(`${block.url ?? ''}{{${name}}}`)} />
        {block.type !== 'button' && <ImageUpload onUrl={set} />}
      </div>
    </div>
  );
}

function LinkFields({ block, onBlock }: Pick<FieldsProps, 'block' | 'onBlock'>): VNode {
  const links = block.links ?? [];
  const set = (next: typeof links, about: string): void => onBlock({ ...block, links: next }, about);
  return (
    <>
      {links.map((link, at) => (
        <div key={at} class="two-fields">
          <LiveField
            label={`Name of link ${at + 1}`}
            path={`links.${at}.text`}
            value={link.text}
            onInput={(text) => set(links.with(at, { ...link, text }), `link ${at}`)}
          />
          <LiveField
            label={`Address of link ${at + 1}`}
            path={`links.${at}.url`}
            isCode
            value={link.url}
            onInput={(url) => set(links.with(at, { ...link, url }), `link url ${at}`)}
          />
        </div>
      ))}
      <div class="button-line">
        <button type="button" class="small" onClick={() => set([...links, { text: '', url: 'https://' }], 'add link')}>
          Add link
        </button>
        {links.length > 1 && (
          <button type="button" class="small quiet" onClick={() => set(links.slice(0, -1), 'remove link')}>
            Remove link {links.length}
          </button>
        )}
      </div>
    </>
  );
}

const MAX_COLUMNS = 4;

function ColumnFields({ block, onBlock, columnForm }: Pick<FieldsProps, 'block' | 'onBlock' | 'columnForm'>): VNode {
  const columns = block.columns ?? [];
  const set = (next: typeof columns, about: string): void => onBlock({ ...block, columns: next }, about);
  return (
    <>
      {columns.map(({ blocks }, at) => (
        <FaultsOf key={at} path={`columns.${at}.blocks`}>
          {columnForm({
            legend: `Column ${at + 1}`,
            blocks,
            onBlocks: (next, about) => set(columns.with(at, { blocks: innerBlocks(next) }), `column ${at} ${about}`),
          })}
        </FaultsOf>
      ))}
      <div class="button-line">
        <button
          type="button"
          class="small"
          disabled={columns.length >= MAX_COLUMNS}
          onClick={() => set([...columns, { blocks: [{ type: 'text', content: '' }] }], 'add column')}
        >
          Add column
        </button>
        <button
          type="button"
          class="small quiet"
          disabled={columns.length < 2}
          onClick={() => set(columns.slice(0, -1), 'remove column')}
        >
          Remove the last column
        </button>
      </div>
    </>
  );
}

const ALIGNS = [
  { value: 'left', label: 'Left' },
  { value: 'center', label: 'Center' },
  { value: 'right', label: 'Right' },
];

/** How a block looks, how often it stands there, and when. */
export function BlockSettings({ block, onBlock }: Pick<FieldsProps, 'block' | 'onBlock'>): VNode {
  const { type, each, showIf, styles } = block;
  const isSet = Boolean(each) || Boolean(showIf);
  const set = (member: 'each' | 'showIf', path: string): void => {
    const { [member]: _old, ...rest } = block;
    onBlock({ ...rest, ...(path.trim() !== '' && { [member]: path.trim() }) }, member);
  };
  return (
    <details open={isSet}>
      <summary>
        Look, list and condition
        {isSet && (
          <span class="soft">
            {[each && ` each of ${each}`, showIf && ` only with ${showIf}`].filter(Boolean).join(',')}
          </span>
        )}
      </summary>
      <div class="form">
        <div class="two-fields">
          <LiveField
            label="For each of the list"
            path="each"
            isCode
            value={each ?? ''}
            placeholder="order.items"
            note="In the block, {{item.name}} is the name of one of it."
            onInput={(path) => set('each', path)}
          />
          <LiveField
            label="Only if there is"
            path="showIf"
            isCode
            value={showIf ?? ''}
            placeholder="order.discount"
            note="Left out if it is missing, false, 0 or empty."
            onInput={(path) => set('showIf', path)}
          />
        </div>
        {type !== 'divider' && type !== 'columns' && type !== 'product' && (
          <SelectField
            label="Align"
            value={styles?.textAlign ?? 'left'}
            choices={ALIGNS}
            onChange={(textAlign) =>
              onBlock({ ...block, styles: { ...styles, textAlign: textAlign as 'left' | 'center' | 'right' } }, 'align')
            }
          />
        )}
        {type === 'button' && <ButtonColors block={block} onBlock={onBlock} />}
      </div>
    </details>
  );
}

const COLORS = [
  { name: 'backgroundColor', label: 'Color of the button', start: '#0b5fff' },
  { name: 'color', label: 'Color of its text', start: '#ffffff' },
] as const;

function ButtonColors({ block, onBlock }: Pick<FieldsProps, 'block' | 'onBlock'>): VNode {
  const { backgroundColor: _background, color: _color, ...others } = block.styles ?? {};
  const hasColors = Boolean(block.styles?.backgroundColor ?? block.styles?.color);
  return (
    <>
      <div class="two-fields">
        {COLORS.map(({ name, label, start }) => (
          <Field key={name} label={label} path={`styles.${name}`}>
            {(id) => (
              <input
                id={id}
                type="color"
                value={block.styles?.[name] ?? start}
                onInput={(event) =>
                  onBlock({ ...block, styles: { ...block.styles, [name]: event.currentTarget.value } }, name)
                }
              />
            )}
          </Field>
        ))}
      </div>
      {hasColors ? (
        <button type="button" class="small quiet" onClick={() => onBlock({ ...block, styles: others }, 'colors')}>
          Colors of the branding
        </button>
      ) : (
        <p class="note">The button has the color of the branding.</p>
      )}
    </>
  );
}
