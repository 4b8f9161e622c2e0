import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Finds something on any page. The key `/` leads there from outside of fields. */
export function SearchField(): VNode {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isField(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const asked = text.trim();
          if (asked !== '') navigate(`/search?${new URLSearchParams({ q: asked })}`);
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Find anything"
          aria-keyshortcuts="/"
          placeholder="Find  /"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget: { value } }) => setText(value)}
        />
      </form>
    </search>
  );
}

/** Whether the key is typed into something; editors of code stand in shadow roots. */
function isField(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}
