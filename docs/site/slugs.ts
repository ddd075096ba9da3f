/** The path of a page of the site, without its extension: `flows/README.md` becomes `flows/index`. */
export function slugOf(path: string): string {
  return path
    .replace(/\.md$/, '')
    .replace(/README$/, 'index')
    .toLowerCase()
}

/** The anchor of a heading, as GitHub writes it, so that the links of the repository also work on the site. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
