/** The output folder of `npm run docs`; not committed. */
export const siteFolder = new URL('../../.cache/docs/', import.meta.url)
