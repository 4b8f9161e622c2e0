import { useEffect, useState } from 'preact/hooks';

/** A text that changes once it has not changed for a while: requests wait until typing pauses. */
export function useSettled(text: string, afterMs = 350): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), afterMs);
    return () => window.clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
