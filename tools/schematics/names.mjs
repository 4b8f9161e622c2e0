/** The forms of a name that templates ask for, as `__form__`. @param name in kebab case, singular */
export function formsOf(name, plural = pluralOf(name)) {
  const article = /^[aeiou]/.test(name) ? 'an' : 'a';
  return {
    Name: pascal(name),
    Names: pascal(plural),
    name: camel(name),
    names: camel(plural),
    file: name,
    files: plural,
    code: name.replaceAll('-', '_'),
    text: name.replaceAll('-', ' '),
    texts: plural.replaceAll('-', ' '),
    aText: `${article} ${name.replaceAll('-', ' ')}`,
    Text: capital(name.replaceAll('-', ' ')),
    Texts: capital(plural.replaceAll('-', ' ')),
  };
}

/** Refuses a name that cannot become a class, a file and a path. */
export function assertKebab(name, what) {
  if (name !== undefined && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return;
  throw new UsageError(`${what} must be in kebab case, such as 'push-template'.`);
}

/** A wrong call of a generator; its text says how to call it. */
export class UsageError extends Error {}

/** Replaces `__form__` in a text. @throws if a template asks for an unknown form */
export function fillIn(text, forms) {
  return text.replace(/__([A-Za-z]+)__/g, (_whole, form) => {
    if (!(form in forms)) throw new Error(`A template asks for __${form}__, which there is not.`);
    return forms[form];
  });
}

export const camel = (kebab) => kebab.replace(/-([a-z0-9])/g, (_whole, letter) => letter.toUpperCase());

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const pascal = (kebab) => capital(camel(kebab));

function pluralOf(name) {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
