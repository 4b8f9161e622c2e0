import { channels } from './channels.mjs';
import { deliver } from './deliver.mjs';
import { digest } from './digest.mjs';
import { people } from './people.mjs';
import { tenants } from './tenants.mjs';
import { trail } from './trail.mjs';
import { workflow } from './workflow.mjs';

/** The chapters in the order in which they are told. Each gets the client and what the ones before it have learnt. */
export const CHAPTERS = [people, workflow, tenants, deliver, channels, digest, trail];
