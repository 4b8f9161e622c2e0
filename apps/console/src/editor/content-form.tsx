import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { FaultsOf, SelectField } from '../ui/fields.js';
import type { Block } from './block-kinds.js';
import { BlocksEditor } from './blocks-editor.js';
import { CodeEditor } from './code-editor.js';
import type { EditorFault } from './code-mirror.js';
import type { Template } from '../drafts/draft.js';
import { LiveField } from './live-fields.js';
import { kindOf, type TextField } from './step-kinds.js';
import { StarterMenu } from './starter-menu.js';
import type { Starter } from './starters.js';
import type { Suggestion } from './suggestions.js';

export interface References {
  readonly feeds: readonly Schemas['FeedResponse'][];
  readonly layouts: readonly Schemas['LayoutResponse'][];
}

export type PlacedFault = EditorFault & { readonly path?: string };

interface Props {
  readonly template: Template;
  readonly references: References;
  readonly faults: readonly PlacedFault[];
  readonly suggestions: readonly Suggestion[];
  readonly onTemplate: (template: Template, about: string) => void;
  /** Values for the preview that the payload may lack. */
  readonly onSample: (sample: Starter['sample']) => void;
}

const LABELS: Readonly<Record<Exclude<TextField, 'content'>, string>> = {
  subject: 'Subject',
  preheader: 'Preheader',
  senderName: 'Sender name',
  title: 'Title',
};

const NOTES: Readonly<Partial<Record<TextField, string>>> = {
  preheader: 'Inboxes show it after the subject.',
  senderName: 'Empty: that of the integration.',
};

/** What a channel step sends. */
export function ContentForm({ template, references, faults, suggestions, onTemplate, onSample }: Props): VNode | null {
  const kind = kindOf(template.type);
  if (kind === undefined || kind.texts.length === 0) return null;
  const set = (name: string, value: unknown): void => onTemplate({ ...template, [name]: value }, name);
  const content = template['content'];
  const faultsIn = (path: string): readonly PlacedFault[] => faults.filter((fault) => fault.path === path);
  return (
    <>
      {kind.texts.map((name) =>
        name === 'content' ? null : (
          <LineField
            key={name}
            label={LABELS[name]}
            path={name}
            note={NOTES[name]}
            value={textOf(template[name])}
            faults={faultsIn(name)}
            onInput={(value) => set(name, value)}
          />
        ),
      )}
      {template.type === 'email' && <MailWays template={template} onTemplate={onTemplate} onSample={onSample} />}
      {Array.isArray(content) ? (
        <FaultsOf path="content">
          <BlocksEditor
            legend="Content"
            blocks={content as Block[]}
            suggestions={suggestions}
            onBlocks={(blocks, about) => onTemplate({ ...template, content: blocks }, about)}
          />
        </FaultsOf>
      ) : (
        <CodeEditor
          label={labelOf(template)}
          path="content"
          text={textOf(content)}
          language={kind.language ?? 'text'}
          faults={faultsIn('content')}
          suggestions={suggestions}
          onText={(text) => set('content', text)}
        />
      )}
      {template.type === 'email' && <MailFields template={template} layouts={references.layouts} onSet={set} />}
      {template.type === 'in_app' && (
        <InAppFields template={template} references={references} onTemplate={onTemplate} />
      )}
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface LineProps {
  readonly label: string;
  readonly path: string;
  readonly note: string | undefined;
  readonly value: string;
  readonly faults: readonly PlacedFault[];
  readonly onInput: (value: string) => void;
}

function LineField({ label, path, note, value, faults, onInput }: LineProps): VNode {
  return (
    <div>
      <LiveField label={label} path={path} value={value} {...(note !== undefined && { note })} onInput={onInput} />
      {faults.map(({ message }) => (
        <p key={message} class="code-fault" aria-live="polite">
          {message}
        </p>
      ))}
    </div>
  );
}

/** What a mail begins with when it is written in another way. */
const BEGINNINGS = {
  customHtml: '<p></p>\n',
  editor: [{ type: 'text', content: 'Hello {{subscriber.firstName}}' }],
  mjml: `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>Hello {{subscriber.firstName}}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`,
} as const;

const WAYS = [
  { value: 'customHtml', label: 'HTML' },
  { value: 'editor', label: 'Blocks' },
  { value: 'mjml', label: 'MJML, which stands alone without a layout' },
] as const;

interface MailProps extends Pick<Props, 'template'>, Pick<References, 'layouts'> {
  readonly onSet: (name: string, value: unknown) => void;
}

/** What is around the content of a mail. */
function MailFields({ template, layouts, onSet }: MailProps): VNode {
  return (
    <>
      {template['contentType'] !== 'mjml' && (
        <SelectField
          label="Layout"
          path="layoutId"
          value={textOf(template['layoutId'])}
          choices={[{ value: '', label: 'None' }, ...layouts.map(({ _id, name }) => ({ value: _id, label: name }))]}
          onChange={(value) => onSet('layoutId', value === '' ? null : value)}
        />
      )}
      <SelectField
        label="Pictures that Herald keeps"
        path="images"
        value={textOf(template['images']) || 'linked'}
        choices={PICTURE_PLACES}
        note="Mail programs show those inside of the mail at once. The preview shows all of them linked."
        onChange={(value) => onSet('images', value === 'linked' ? undefined : value)}
      />
    </>
  );
}

const PICTURE_PLACES = [
  { value: 'linked', label: 'Linked by their addresses' },
  { value: 'inline', label: 'Inside of the mail' },
] as const;

function MailWays({ template, onTemplate, onSample }: Pick<Props, 'template' | 'onTemplate' | 'onSample'>): VNode {
  return (
    <>
      <StarterMenu
        template={template}
        onStarter={(next, sample) => {
          onTemplate(next, 'starter');
          onSample(sample);
        }}
      />
      <ContentType template={template} onTemplate={onTemplate} />
    </>
  );
}

function ContentType({ template, onTemplate }: Pick<Props, 'template' | 'onTemplate'>): VNode {
  const current = wayOf(template);
  const change = (to: string): void => {
    const way = WAYS.find(({ value }) => value === to)?.value;
    if (way === undefined || way === current) return;
    const written = { ...template, contentType: way, content: BEGINNINGS[way] };
    onTemplate(way === 'mjml' ? { ...written, layoutId: null } : written, 'contentType');
  };
  return <SelectField label="Written as" value={current} choices={WAYS} onChange={change} />;
}

/** Texts without a type are shown as HTML. */
function wayOf({ content, contentType }: Template): keyof typeof BEGINNINGS {
  if (Array.isArray(content)) return 'editor';
  return contentType === 'mjml' ? 'mjml' : 'customHtml';
}

function labelOf(template: Template): string {
  if (template.type !== 'email') return 'Content';
  return template['contentType'] === 'mjml' ? 'MJML' : 'HTML';
}

interface Button {
  readonly type: 'primary' | 'secondary';
  readonly content: string;
  readonly url?: string;
}
interface Cta {
  readonly type?: 'redirect';
  readonly data?: { readonly url?: string };
  readonly action?: { readonly buttons?: readonly Button[] };
}

type InAppProps = Pick<Props, 'template' | 'references' | 'onTemplate'>;

function InAppFields({ template, references, onTemplate }: InAppProps): VNode {
  const cta = (template['cta'] ?? {}) as Cta;
  const setCta = (change: Partial<Cta>, about: string): void => {
    const next = { type: 'redirect', ...cta, ...change };
    const isEmpty = !next.data?.url && !next.action?.buttons?.length;
    onTemplate({ ...template, cta: isEmpty ? undefined : next }, about);
  };
  return (
    <>
      <LiveField
        label="Link of the message"
        path="cta.data.url"
        isCode
        value={cta.data?.url ?? ''}
        placeholder="/orders/{{order.id}}"
        onInput={(url) => setCta({ data: { ...cta.data, url } }, 'cta')}
      />
      <ButtonFields
        buttons={cta.action?.buttons ?? []}
        onButtons={(buttons, about) => setCta({ action: { ...cta.action, buttons } }, about)}
      />
      <SelectField
        label="Feed"
        path="feedId"
        value={textOf(template['feedId'])}
        choices={[
          { value: '', label: 'None' },
          ...references.feeds.map(({ _id, name }) => ({ value: _id, label: name })),
        ]}
        onChange={(value) => onTemplate({ ...template, feedId: value === '' ? null : value }, 'feedId')}
      />
    </>
  );
}

interface ButtonsProps {
  readonly buttons: readonly Button[];
  readonly onButtons: (buttons: readonly Button[], about: string) => void;
}

function ButtonFields({ buttons, onButtons }: ButtonsProps): VNode {
  const add = (): void =>
    onButtons([...buttons, { type: buttons.length === 0 ? 'primary' : 'secondary', content: 'Open' }], 'add button');
  return (
    <>
      {buttons.map((button, at) => (
        <div key={button.type} class="two-fields">
          <LiveField
            label={button.type === 'primary' ? 'First button' : 'Second button'}
            path={`cta.action.buttons.${at}.content`}
            value={button.content}
            onInput={(content) => onButtons(buttons.with(at, { ...button, content }), `button ${at}`)}
          />
          <LiveField
            label="Its link"
            path={`cta.action.buttons.${at}.url`}
            isCode
            value={button.url ?? ''}
            onInput={(url) => onButtons(buttons.with(at, { ...button, url }), `button url ${at}`)}
          />
        </div>
      ))}
      <div class="button-line">
        {buttons.length < 2 && (
          <button type="button" class="small" onClick={add}>
            Add button
          </button>
        )}
        {buttons.length > 0 && (
          <button type="button" class="small quiet" onClick={() => onButtons(buttons.slice(0, -1), 'remove button')}>
            Remove button
          </button>
        )}
      </div>
    </>
  );
}
