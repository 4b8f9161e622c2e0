import { serveTasks } from '#libs/worker-pool';
import { findLinks } from './find-links.js';
import { schemaFault } from './json-schema.js';
import { renderEmail } from './render-email.js';
import type { RenderResult, RenderTask } from './render-task.js';
import { createRenderer } from './renderer.js';
import { PackReader } from './packed-context.js';

const renderer = createRenderer();
const packs = new PackReader();

serveTasks<RenderTask, RenderResult>(async (task) => {
  switch (task.kind) {
    case 'texts': {
      const context = packs.unpack(task.context);
      return { texts: task.sources.map(({ source, escape }) => renderer.render(source, context, { escape })) };
    }
    case 'schema': {
      const fault = await schemaFault(task.schema, task.value);
      return fault === undefined ? {} : { fault };
    }
    case 'links':
      return { links: findLinks(task.html) };
    case 'email':
      return { email: await renderEmail({ ...task.input, context: packs.unpack(task.context) }, renderer) };
  }
});
