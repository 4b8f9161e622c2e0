import type { VNode } from 'preact';
import { useToast } from './toasts.js';

/** Copies a text. Pages over plain HTTP have no clipboard, so that the reader is asked to copy by hand. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): VNode {
  const toast = useToast();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast('Copied.');
    } catch {
      toast('Your browser does not allow copying here. Select the text and copy it manually.', 'bad');
    }
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {label}
    </button>
  );
}
