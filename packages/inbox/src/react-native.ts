import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { AppState } from 'react-native';
import { type Preferences, ShownPreferences } from './react-native/preferences.js';
import { streamingFetch } from './react-native/streaming-fetch.js';
import { type InboxOptions, type InboxState, InboxStore } from './store/index.js';

export type { Preferences } from './react-native/preferences.js';
export { plainText } from './react-native/plain-text.js';
export * from './store/index.js';

interface Provided {
  readonly inbox: InboxStore;
  /** How many components show the list. */
  lists: number;
}

const Context = createContext<Provided | undefined>(undefined);

export interface HeraldProviderProps extends InboxOptions {
  readonly children?: ReactNode;
}

/** Runs the inbox of a subscriber for the hooks below it. While the application is in the background, nothing is asked of Herald. */
export function HeraldProvider({ children, ...options }: HeraldProviderProps): ReactElement {
  const { fetch = streamingFetch } = options;
  const described = JSON.stringify(options);
  const provided = useMemo<Provided>(() => {
    const same = JSON.parse(described) as InboxOptions;
    return { inbox: new InboxStore({ ...same, fetch }), lists: 0 };
  }, [described, fetch]);
  useEffect(() => runInForeground(provided.inbox), [provided]);
  return createElement(Context.Provider, { value: provided }, children);
}

function runInForeground(inbox: InboxStore): () => void {
  let isRunning = false;
  const run = (isWanted: boolean): void => {
    if (isWanted === isRunning) return;
    isRunning = isWanted;
    if (isWanted) inbox.start();
    else inbox.stop();
  };
  // iOS is inactive for a moment, under a system dialog for example.
  const follow = (state: string | null): void => run(state !== 'background');
  const subscription = AppState.addEventListener('change', follow);
  follow(AppState.currentState);
  return () => {
    subscription.remove();
    run(false);
  };
}

function useProvided(): Provided {
  const provided = useContext(Context);
  if (provided === undefined) throw new Error('Put <HeraldProvider> around components that use the inbox.');
  return provided;
}

/** What changes notifications: `mark`, `snooze`, `markAll`, `loadMore`, … */
export function useInbox(): InboxStore {
  return useProvided().inbox;
}

function useInboxState<T>(select: (state: InboxState) => T): T {
  const inbox = useInbox();
  const subscribe = useCallback((listener: () => void) => inbox.subscribe(listener), [inbox]);
  return useSyncExternalStore(subscribe, () => select(inbox.state));
}

const whole = (state: InboxState): InboxState => state;

/** The list of notifications, which is read while a component with this hook is mounted. */
export function useNotifications(): InboxState {
  const provided = useProvided();
  useEffect(() => {
    const count = (more: number): void => {
      provided.lists += more;
      provided.inbox.setShown(provided.lists > 0);
    };
    count(1);
    return () => count(-1);
  }, [provided]);
  return useInboxState(whole);
}

/** The numbers of badges. A component is drawn again only when one of them changes. */
export function useCounts(): Pick<InboxState, 'unread' | 'unseen' | 'tabCounts'> {
  const unread = useInboxState((state) => state.unread);
  const unseen = useInboxState((state) => state.unseen);
  const tabCounts = useInboxState((state) => state.tabCounts);
  return { unread, unseen, tabCounts };
}

/** The preferences of the subscriber, read when the component is mounted. */
export function usePreferences(): Preferences {
  const { api } = useInbox();
  const shown = useMemo(() => new ShownPreferences(api), [api]);
  useEffect(() => shown.state().refresh(), [shown]);
  return useSyncExternalStore(shown.subscribe, shown.state);
}
