import { createElement, type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { defineInbox, type HeraldInbox as InboxElement } from './element/herald-inbox.js';
import { attributesOf, EVENTS, type InboxEvents, type InboxProps } from './element/props.js';

defineInbox();

type Handlers = {
  readonly [Name in keyof InboxEvents as `on${Capitalize<Name>}`]?: (event: CustomEvent<InboxEvents[Name]>) => void;
};

export interface HeraldInboxProps extends InboxProps, Handlers {
  readonly className?: string;
  /** With `slot="bell"`: instead of the icon. */
  readonly children?: ReactNode;
}

/** `<herald-inbox>` as a component of React. Handlers may be new functions in each render. */
export function HeraldInbox(props: HeraldInboxProps): ReactElement {
  const element = useRef<InboxElement>(null);
  const latest = useRef(props);
  const { tabs, labels, className, children } = props;
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (element.current) Object.assign(element.current, { tabs, labels });
  }, [tabs, labels]);
  useEffect(() => {
    const ending = new AbortController();
    for (const name of EVENTS) {
      const handler = `on${name[0]?.toUpperCase() ?? ''}${name.slice(1)}` as keyof Handlers;
      const listener = (event: Event): void =>
        (latest.current[handler] as ((event: Event) => void) | undefined)?.(event);
      element.current?.addEventListener(`herald-${name}`, listener, { signal: ending.signal });
    }
    return () => ending.abort();
  }, []);
  return createElement('herald-inbox', { ref: element, class: className, ...attributesOf(props) }, children);
}
