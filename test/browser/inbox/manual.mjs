import { readFileSync } from 'node:fs';
import { compileScript, parse } from 'vue/compiler-sfc';

const PAGE = 'docs/manual/inbox.md';
const EXAMPLE = /^```(\w+) page\n(.*?)^```/gms;

/** The pages that the manual shows, by name: what stands in the page, and the program that is bundled for it. */
export function manualExamples() {
  const found = [...readFileSync(PAGE, 'utf8').matchAll(EXAMPLE)].map(([, language, code]) => ({ language, code }));
  const languages = found.map(({ language }) => language).join();
  if (languages !== 'html,html,js,jsx,vue,js') throw new Error(`${PAGE} has other examples: ${languages}`);
  const [served, element, imported, react, vue, store] = found.map(({ code }) => code);
  return {
    'manual-html': { body: served },
    'manual-npm': { body: element, program: imported },
    'manual-react': { program: mountReact(react), body: ROOT },
    'manual-vue': { program: mountVue(vue), body: ROOT },
    'manual-store': { program: store, body: '' },
  };
}

const ROOT = '<div id="root"></div>';

/** Puts the values of a subscriber in place of those of the manual. */
export function filledIn(code, attributes) {
  const { 'backend-url': url, 'application-identifier': environment } = attributes;
  return code
    .replaceAll('https://herald.example.com', url)
    .replaceAll('aB3dE5fG7hJ9', environment)
    .replaceAll(/(["'])ada\1/g, `$1${attributes['subscriber-id']}$1`)
    .replaceAll(/(["'])…\1/g, `$1${attributes['subscriber-hash']}$1`);
}

function mountReact(code) {
  return `${code}
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(<Notifications subscriberId="ada" subscriberHash="…" />);`;
}

function mountVue(code) {
  const { descriptor } = parse(code);
  const { content } = compileScript(descriptor, { id: 'manual', inlineTemplate: true });
  return `${content.replace('export default', 'const Page =')}
import { createApp } from 'vue';
createApp(Page, { subscriberId: 'ada', subscriberHash: '…' }).mount('#root');`;
}
