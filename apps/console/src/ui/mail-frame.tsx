import type { VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { CONSOLE } from '../public-path.js';
import { mailPage } from './mail-html.js';

const BETWEEN = `${CONSOLE}/mail-frame`;

/**
 * Shows the HTML of a mail. A frame inherits the policy of the page around it, which forbids the inline styles of mails; so
 * there is a page in between with a policy of its own (src/bootstrap/console.ts). That page has no script, and the frame in it, which
 * has the mail, has a sandbox without any right: no script, no form, no origin, no navigation of other frames.
 */
export function MailFrame({ html, title }: { html: string; title: string }): VNode {
  const [withImages, setWithImages] = useState(false);
  const between = useRef<HTMLIFrameElement>(null);
  const fill = useCallback(() => {
    const page = between.current?.contentDocument;
    // Until it has loaded, the frame has a blank page with the policy of the console.
    if (!page?.location.pathname.startsWith(BETWEEN) || page.readyState !== 'complete') return;
    const frame = page.createElement('iframe');
    frame.setAttribute('sandbox', '');
    frame.title = title;
    frame.srcdoc = mailPage(html);
    page.body.replaceChildren(frame);
  }, [html, title]);
  useEffect(fill, [fill]);
  return (
    <div class="mail">
      <iframe
        ref={between}
        key={String(withImages)}
        class="mail-frame"
        src={withImages ? `${BETWEEN}-with-images` : BETWEEN}
        sandbox="allow-same-origin"
        title={title}
        onLoad={fill}
      />
      {!withImages && /\bsrc\s*=|url\(/i.test(html) && (
        <button type="button" class="quiet" onClick={() => setWithImages(true)}>
          Load remote images (the sender can see this)
        </button>
      )}
    </div>
  );
}
