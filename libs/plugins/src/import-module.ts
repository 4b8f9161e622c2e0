type ImportModule = (url: string) => Promise<Readonly<Record<string, unknown>>>;

/** In joined programs (tools/bundle.mjs), whose own `import()` is replaced by `require()`. */
declare const heraldImport: ImportModule | undefined;

/** Imports a module by its URL. */
export const importModule: ImportModule = (url) =>
  typeof heraldImport === 'undefined' ? (import(url) as ReturnType<ImportModule>) : heraldImport(url);
