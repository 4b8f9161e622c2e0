import { useRef } from 'preact/hooks';

/** The last value that was known, while the next one is on its way. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef<T>();
  if (value !== undefined) last.current = value;
  return last.current;
}
