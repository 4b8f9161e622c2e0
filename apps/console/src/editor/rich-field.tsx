import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useFault } from '../ui/fields.js';
import { fillRich, hasTypedValues, htmlIn, insertChip, insertLink, rangeIn, selectRange } from './rich-dom.js';
import { parseRich } from './rich-text.js';
import type { Suggestion } from './suggestions.js';

interface Props {
  readonly label: string;
  readonly path: string;
  readonly html: string;
  readonly suggestions: readonly Suggestion[];
  readonly onHtml: (html: string) => void;
  /** A slash was typed where nothing stands. */
  readonly onSlash?: (() => void) | undefined;
}

/** A text with bold and italic words, links, lists and values. What it cannot show is edited as HTML. */
export function RichField(props: Props): VNode {
  const [isHtml, setHtml] = useState(false);
  const isRich = parseRich(props.html) !== undefined;
  if (isRich && !isHtml) return <RichText {...props} onSource={() => setHtml(true)} />;
  const { label, path, html, onHtml } = props;
  return (
    <HtmlText {...{ label, path, html, onHtml }}>
      {isRich && (
        <button type="button" class="small quiet" onClick={() => setHtml(false)}>
          Back to the text
        </button>
      )}
    </HtmlText>
  );
}

function HtmlText(
  props: Pick<Props, 'label' | 'path' | 'html' | 'onHtml'> & { readonly children: ComponentChildren },
): VNode {
  const { label, path, html, onHtml, children } = props;
  const id = useId();
  const fault = useFault(path);
  return (
    <div class={fault === undefined ? 'field' : 'field faulty'}>
      <label for={id}>{label}</label>
      <textarea id={id} class="code" rows={3} value={html} onInput={(event) => onHtml(event.currentTarget.value)} />
      {fault !== undefined && <p class="code-fault">{fault}</p>}
      {children}
    </div>
  );
}

interface RichState {
  readonly host: RefObject<HTMLDivElement>;
  /** Tells what stands in the field. */
  readonly tell: () => void;
  /** Keeps where somebody types. */
  readonly keep: () => void;
  /** Changes something at the place where somebody has typed last. */
  readonly edit: (change: (range: Range) => void) => void;
  readonly place: () => Range | undefined;
}

function useRichText({ html, onHtml }: Pick<Props, 'html' | 'onHtml'>): RichState {
  const host = useRef<HTMLDivElement>(null);
  /** Texts that were told and have not come back: what is typed meanwhile must not be lost. */
  const told = useRef<string[]>([]);
  const place = useRef<Range>();
  useEffect(() => {
    const at = told.current.lastIndexOf(html);
    told.current = told.current.slice(at + 1);
    if (at >= 0 || host.current === null) return;
    told.current = [];
    place.current = undefined;
    fillRich(host.current, parseRich(html) ?? []);
  }, [html]);
  const keep = (): void => void (place.current = rangeIn(host.current) ?? place.current);
  const tell = (): void => {
    if (host.current === null) return;
    keep();
    const now = htmlIn(host.current);
    if (now === (told.current.at(-1) ?? html)) return;
    told.current.push(now);
    onHtml(now);
  };
  const edit = (change: (range: Range) => void): void => {
    const range = selectRange(host.current, place.current);
    if (range === undefined) return;
    change(range);
    tell();
  };
  return { host, tell, keep, edit, place: () => place.current };
}

/** The commands of browsers are the only ones that keep their undo. */
function run(name: string, value?: string): void {
  document.execCommand('styleWithCSS', false, 'false');
  document.execCommand(name, false, value);
}

function RichText(props: Props & { readonly onSource: () => void }): VNode {
  const { path, html, onSlash } = props;
  const state = useRichText(props);
  const { host, tell, keep } = state;
  const id = useId();
  const fault = useFault(path);
  const typed = (event: KeyboardEvent): void => {
    if (event.key === '/' && onSlash && host.current?.textContent === '') {
      event.preventDefault();
      onSlash();
    } else if (
      event.key === 'Enter' &&
      !event.altKey &&
      state.place()?.startContainer.parentElement?.closest('.rich-text li') == null
    ) {
      event.preventDefault();
      run('insertLineBreak');
    }
  };
  return (
    <div class={fault === undefined ? 'field' : 'field faulty'}>
      <RichHead {...props} id={id} state={state} />
      <div
        ref={host}
        class="rich-text"
        contentEditable
        role="textbox"
        aria-multiline="true"
        aria-labelledby={id}
        onInput={tell}
        onKeyDown={typed}
        onKeyUp={keep}
        onMouseUp={({ target }) => {
          keep();
          if (target instanceof Element && target.closest('.value-chip')) selectRange(host.current, state.place());
        }}
        onPaste={(event) => {
          event.preventDefault();
          run('insertText', event.clipboardData?.getData('text/plain') ?? '');
        }}
        onBlur={() => {
          keep();
          if (host.current !== null && hasTypedValues(host.current)) fillRich(host.current, parseRich(html) ?? []);
        }}
      />
      {fault !== undefined && <p class="code-fault">{fault}</p>}
    </div>
  );
}

type HeadProps = Props & { readonly id: string; readonly state: RichState; readonly onSource: () => void };

/** The name of the field, and what can be done with its text. */
function RichHead({ id, label, suggestions, state, onSource }: HeadProps): VNode {
  const [link, setLink] = useState<string>();
  const { keep, edit } = state;
  const linkAt = (): Element | null | undefined => state.place()?.startContainer.parentElement?.closest('a');
  const openLink = (): void => {
    keep();
    setLink(link === undefined ? (linkAt()?.getAttribute('href') ?? 'https://') : undefined);
  };
  const setUrl = (url: string): void => {
    setLink(undefined);
    edit((range) => {
      const around = linkAt();
      if (url === '') run('unlink');
      else if (around) around.setAttribute('href', url);
      else if (range.collapsed) insertLink(range, url);
      else run('createLink', url);
    });
  };
  return (
    <>
      <div class="rich-head">
        <span id={id}>{label}</span>
        <div class="button-line" role="group" aria-label={`Format of ${label}`} onMouseDown={keepFocus}>
          <Tool label="Bold" sign="B" onClick={() => edit(() => run('bold'))} />
          <Tool label="Italic" sign="I" onClick={() => edit(() => run('italic'))} />
          <Tool label="List" sign="•" onClick={() => edit(() => run('insertUnorderedList'))} />
          <Tool label="Link" sign="↗" onClick={openLink} />
          <Tool label="HTML" sign="<>" onClick={onSource} />
          <ValueMenu suggestions={suggestions} onValue={(name) => edit((range) => insertChip(range, `{{${name}}}`))} />
        </div>
      </div>
      {link !== undefined && <LinkForm url={link} onClose={() => setLink(undefined)} onUrl={setUrl} />}
    </>
  );
}

/** The text keeps the focus while its format is chosen. */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof HTMLButtonElement) event.preventDefault();
}

function Tool({ label, sign, onClick }: { label: string; sign: string; onClick: () => void }): VNode {
  return (
    <button type="button" class="small quiet" aria-label={label} title={label} onClick={onClick}>
      {sign}
    </button>
  );
}

/** Values that a template can show. */
export function ValueMenu(props: Pick<Props, 'suggestions'> & { readonly onValue: (name: string) => void }): VNode {
  const { suggestions, onValue } = props;
  const names = suggestions.filter(({ kind }) => kind === 'variable');
  return (
    <select
      class="value-menu"
      aria-label="Insert a value"
      value=""
      onChange={(event) => {
        if (event.currentTarget.value !== '') onValue(event.currentTarget.value);
        event.currentTarget.value = '';
      }}
    >
      <option value="">{'{ } Value'}</option>
      {names.map(({ name, detail }) => (
        <option key={name} value={name}>
          {name} {detail !== '' && `(${detail})`}
        </option>
      ))}
    </select>
  );
}

interface LinkProps {
  readonly url: string;
  readonly onUrl: (url: string) => void;
  readonly onClose: () => void;
}

function LinkForm({ url, onUrl, onClose }: LinkProps): VNode {
  const [typed, type] = useState(url);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const byKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onUrl(typed.trim());
  };
  return (
    <div class="link-form">
      <input
        ref={input}
        class="code"
        aria-label="Address of the link"
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={byKey}
      />
      <button type="button" class="small" onClick={() => onUrl(typed.trim())}>
        Set link
      </button>
      <button type="button" class="small quiet" onClick={() => onUrl('')}>
        Remove link
      </button>
    </div>
  );
}
