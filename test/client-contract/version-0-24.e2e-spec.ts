// First, because it chooses the client of those that follow.
import './version-0-24.js';
import './account.e2e-spec.js';
import './configuration.e2e-spec.js';
import './events.e2e-spec.js';
import './inbox.e2e-spec.js';
import './subscribers.e2e-spec.js';
import './workflows.e2e-spec.js';
