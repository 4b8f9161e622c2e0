import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Empty, Loading } from './ui/states.js';

type Component<Props> = (props: Props) => VNode;

/** A page whose code is loaded when it is opened. */
export function lazyPage(load: () => Promise<() => VNode>): () => VNode {
  const Part = lazyPart(load);
  return () => <Part />;
}

/** A part of a page, likewise. */
export function lazyPart<Props extends object = object>(load: () => Promise<Component<Props>>): Component<Props> {
  let loaded: Component<Props> | undefined;
  return function LazyPart(props: Props): VNode {
    const [isFailed, setFailed] = useState(false);
    const [, setLoaded] = useState(loaded !== undefined);
    const [path] = useLocation();
    useEffect(() => {
      // Another instance may have loaded it since this one was drawn.
      if (loaded !== undefined) return setLoaded(true);
      load().then(
        (component) => {
          loaded = component;
          setLoaded(true);
        },
        () => setFailed(true),
      );
    }, [path]);
    if (loaded !== undefined) {
      const Part = loaded;
      return <Part {...props} />;
    }
    if (!isFailed) return <Loading />;
    return (
      <Empty title="This part of the console could not be loaded">
        <p>Herald may have been updated since you opened the console. Reload the page; unsaved drafts are kept.</p>
      </Empty>
    );
  };
}
