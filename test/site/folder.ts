/** Where `npm run docs` writes the site; not committed. */
export const siteFolder = new URL('../../.cache/docs/', import.meta.url)
