import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { MailFrame } from './mail-frame.js';

interface Props {
  readonly html: string;
  /** Names the frame. */
  readonly title: string;
  readonly text?: string | undefined;
  /** Above the mail, in the window. */
  readonly children?: ComponentChildren;
}

/** A mail as wide as on a desk or on a phone, and its plain text. */
export function MailWindow({ html, title, text, children }: Props): VNode {
  const [isPhone, setPhone] = useState(false);
  return (
    <div class="frame-mail">
      <div class="button-line" role="group" aria-label="Width of the preview">
        <button type="button" class="small" aria-pressed={!isPhone} onClick={() => setPhone(false)}>
          Desktop
        </button>
        <button type="button" class="small" aria-pressed={isPhone} onClick={() => setPhone(true)}>
          Phone
        </button>
      </div>
      <div class={isPhone ? 'mail-window phone' : 'mail-window'}>
        {children}
        <MailFrame html={html} title={title} />
      </div>
      {text !== undefined && (
        <details>
          <summary>Plain text</summary>
          <pre class="raw" tabIndex={0} aria-label="Email plain text">
            {text}
          </pre>
        </details>
      )}
    </div>
  );
}
