interface Policy {
  createHTML(text: string): string;
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy;
}

const SAME: Policy = { createHTML: (text) => text, createScriptURL: (url) => url };
let policy: Policy | undefined;

/**
 * A page can demand that parsers and workers get trusted texts only, and name who may make them: `trusted-types herald-inbox`. What is
 * parsed here is copied by a list of elements, and the address of the worker is the page's own.
 */
export function trusted(): Policy {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  policy ??= trustedTypes?.createPolicy('herald-inbox', SAME) ?? SAME;
  return policy;
}
