/** How the index of the search is made and read. */
export const OPTIONS = { fields: ['heading', 'title', 'text'], storeFields: ['title', 'heading', 'url', 'lead'] };
