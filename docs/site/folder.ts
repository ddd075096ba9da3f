/** The output folder of `npm run docs`; not committed. */
export const siteFolder = new URL('../../.cache/docs/', import.meta.url)

/** The Markdown from which VitePress builds the site; not committed. */
export const stageFolder = new URL('../../.cache/docs-stage/', import.meta.url)

/**
 * The path at which the site is served, with slashes at both ends. There is no public URL yet: this is the only place
 * that knows where the site is.
 */
export const base = process.env['DOCS_BASE'] ?? '/'
