import type { VNode } from 'preact';

const SHAPES: Readonly<Record<string, VNode>> = {
  email: <path d="M1.5 3.5h13v9h-13zM2 4l6 5 6-5" />,
  sms: <path d="M1.5 2.5h13v8.5H7L4 14v-3H1.5zM4.5 6.75h.01M8 6.75h.01M11.5 6.75h.01" />,
  in_app: <path d="M8 1.5a4 4 0 0 0-4 4c0 4-2 5-2 6h12c0-1-2-2-2-6a4 4 0 0 0-4-4zM6.5 14h3" />,
  push: <path d="M4.5 1.5h7v13h-7zM7 12.5h2" />,
  chat: <path d="M6 1.5 4.5 14.5M11.5 1.5 10 14.5M2 5.5h12.5M1.5 10.5H14" />,
  digest: <path d="M2 4.5 8 2l6 2.5L8 7zM2 8l6 2.5L14 8M2 11.5 8 14l6-2.5" />,
  delay: <path d="M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 4v4l2.5 1.5" />,
  http_request: <path d="M1.5 8h12M9.5 4l4 4-4 4" />,
  wait_for_event: <path d="M4 1.5h8M4 14.5h8M5 1.5v3l3 3.5 3-3.5v-3M5 14.5v-3L8 8l3 3.5v3" />,
  throttle: <path d="M1.5 2.5h13l-5 6v5l-3-1.5V8.5z" />,
  branch: <path d="M8 1.5v4M8 5.5c0 3-5 3-5 6v3M8 5.5c0 3 5 3 5 6v3" />,
  split: <path d="M8 1.5v4M8 5.5c0 3-5 3-5 6v3M8 5.5c0 3 5 3 5 6v3M8 5.5v9" />,
  trigger_workflow: <path d="M1.5 2.5h6v4h-6zM8.5 9.5h6v4h-6zM4.5 6.5v5h4" />,
  trigger: <path d="M9 1.5 3 9h4.5L7 14.5 13 7H8.5z" />,
};

/** A small picture of a channel or step. The word next to it says the same. */
export function ChannelGlyph({ type }: { type: string }): VNode {
  return (
    <svg class="channel-glyph" viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
      {SHAPES[type] ?? <circle cx="8" cy="8" r="5" />}
    </svg>
  );
}
