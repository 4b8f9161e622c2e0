// All scenarios. `settings` are their defaults, `full` what `--full` changes; `--set name=value` changes either.
// `kind`: short ones run always, full ones with --full, checks only by name.
export const SCENARIOS = {
  requests: {
    kind: 'short',
    about: 'single routes: Herald, a straightforward application, a bare handler',
    settings: { rounds: 3, seconds: 1, route: '' },
    full: { rounds: 7, seconds: 5 },
    load: () => import('./requests.mjs'),
  },
};
