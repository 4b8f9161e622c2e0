import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

type Tone = 'good' | 'bad';
interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
  readonly since: number;
}
type Announce = (text: string, tone?: Tone) => void;

const SHOWN_MS = 6_000;
/** What was announced this long before the page changed may be what led to the next page. */
const LEADS_WITHIN_MS = 1_000;
const Announcer = createContext<Announce>(() => undefined);

/** Announces the result of an action, to screen readers as well. Failures stay until they are closed, or the page is left. */
export function useToast(): Announce {
  return useContext(Announcer);
}

export function ToastProvider({ children }: { children: ComponentChildren }): VNode {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const next = useRef(0);
  const [path] = useLocation();
  // The others are about the page that was left.
  useEffect(() => setToasts((all) => all.filter(({ since }) => Date.now() - since < LEADS_WITHIN_MS)), [path]);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const announce = useCallback<Announce>((text, tone = 'good') => {
    const id = next.current++;
    setToasts((all) => [...all, { id, text, tone, since: Date.now() }]);
    if (tone === 'good') window.setTimeout(() => close(id), SHOWN_MS);
  }, []);
  return (
    <Announcer.Provider value={announce}>
      {children}
      <div class="toasts" aria-live="polite">
        {toasts.map(({ id, text, tone }) => (
          <div key={id} class={`toast ${tone}`}>
            <span>{text}</span>
            <button type="button" class="quiet" onClick={() => close(id)}>
              Close
            </button>
          </div>
        ))}
      </div>
    </Announcer.Provider>
  );
}
