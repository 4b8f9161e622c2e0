import type { RefObject, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { MAIN_LINKS, NAVIGATION } from '../pages.js';
import { useSearch } from '../search/use-search.js';
import { fullName } from '../subscribers/subscriber-words.js';

const PAUSE_MS = 200;
const MOST_PAGES = 4;

interface Found {
  readonly href: string;
  readonly label: string;
  readonly note: string;
}

const LINKS = [...MAIN_LINKS, ...NAVIGATION.flatMap(({ links }) => links)];

/** Pages at once; records when nothing was typed for a moment. */
function useFound(text: string): readonly Found[] {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(text), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  const { data } = useSearch(asked);
  if (text === '') return [];
  const pages = LINKS.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())).slice(0, MOST_PAGES);
  const records = asked === text ? data : undefined;
  return [
    ...pages.map(({ path, label }) => ({ href: path, label, note: 'Page' })),
    ...(records?.workflows ?? []).map(({ _id, name, triggers: [trigger] }) => ({
      href: `/workflows/${_id}`,
      label: name,
      note: trigger?.identifier ?? '',
    })),
    ...(records?.subscribers ?? []).map((row) => ({
      href: `/subscribers/${encodeURIComponent(row.subscriberId)}`,
      label: row.subscriberId,
      note: fullName(row),
    })),
  ];
}

/** Finds pages, workflows and people while one types, and anything on the page of results. */
export function SearchField(): VNode {
  const [, navigate] = useLocation();
  const [typed, setText] = useState('');
  const [at, setAt] = useState(-1);
  const [isHere, setHere] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useKeys(input);
  const text = typed.trim();
  const known = useFound(text);
  const found = isHere ? known : [];
  const go = (href: string): void => {
    setText('');
    setAt(-1);
    navigate(href);
  };
  const byKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setText('');
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setAt(Math.max(-1, Math.min(found.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1))));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const chosen = found[at];
    if (chosen !== undefined) go(chosen.href);
    else if (text !== '') navigate(`/search?${new URLSearchParams({ q: text })}`);
  };
  return (
    <search onFocusIn={() => setHere(true)} onFocusOut={() => setHere(false)}>
      <form onSubmit={submit}>
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label="Find anything"
          aria-keyshortcuts="Control+K /"
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          placeholder="Find  Ctrl K"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            setAt(-1);
          }}
          onKeyDown={byKey}
        />
        <FoundList id={id} found={found} at={at} onChoice={go} />
      </form>
    </search>
  );
}

interface ListProps {
  readonly id: string;
  readonly found: readonly Found[];
  readonly at: number;
  readonly onChoice: (href: string) => void;
}

function FoundList({ id, found, at, onChoice }: ListProps): VNode {
  return (
    <ul id={id} role="listbox" aria-label="Found" class="found-now" hidden={found.length === 0}>
      {found.map(({ href, label, note }, place) => (
        <li
          key={href}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === at}
          // Before the field loses the focus.
          onMouseDown={() => onChoice(href)}
        >
          {label} <span class="soft">{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** Ctrl or Cmd with K leads to the field from everywhere, `/` from outside of fields. */
function useKeys(input: RefObject<HTMLInputElement>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isField(event);
      if (!isCommand && !isSlash) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether the key is typed into something; editors of code stand in shadow roots. */
function isField(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}
