import { serveTasks } from '#libs/worker-pool';
import { findLinks } from './find-links.js';
import { schemaFault } from './json-schema.js';
import { mjmlToHtml } from './mjml.js';
import { renderEmail } from './render-email.js';
import type { PackedWording, RenderResult, RenderTask } from './render-task.js';
import { renderText } from './rendered-fields.js';
import { createRenderer } from './renderer.js';
import { PackReader } from './packed-context.js';
import { type Dictionary, NO_WORDS, type Wording } from './translate.js';

const renderer = createRenderer();
const packs = new PackReader();

serveTasks<RenderTask, RenderResult>(async (task) => {
  switch (task.kind) {
    case 'texts': {
      const context = packs.unpack(task.context);
      const wording = unpackWording(task.wording);
      const { language } = task;
      const texts = task.sources.map((source) => renderText(source, context, renderer, { wording, language }));
      return { texts, missing: [...(wording?.missing ?? [])] };
    }
    case 'schema': {
      const fault = await schemaFault(task.schema, task.value);
      return fault === undefined ? {} : { fault };
    }
    case 'mjml':
      mjmlToHtml(task.source, task.language);
      return {};
    case 'links':
      return { links: findLinks(task.html) };
    case 'email': {
      const wording = unpackWording(task.wording);
      const input = { ...task.input, context: packs.unpack(task.context), ...(wording && { wording }) };
      return { email: await renderEmail(input, renderer), missing: [...(wording?.missing ?? [])] };
    }
  }
});

function unpackWording(packed: PackedWording | undefined): Wording | undefined {
  if (packed === undefined) return undefined;
  const { dictionary = NO_WORDS } = packs.unpack(packed.dictionary) as { dictionary?: Dictionary };
  return { dictionary, timeZone: packed.timeZone, missing: new Set() };
}
