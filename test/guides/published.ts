/** The parts of package.json that say where the project is published. */
export interface Manifest {
  readonly version: string
  /** The public URL of the project. Add it to package.json once there is one. */
  readonly repository?: { readonly url: string }
}

/** Set this to `true` once the package is on npm, and run `npm run generated`. */
const isOnNpm = false

/** Writes how to install authmachine with the packages that it needs. */
export function writeInstallation(packages: string, { version }: Manifest, isPublished = isOnNpm): string {
  const install = (name: string) => `\`\`\`sh\nnpm install ${name} ${packages}`.trimEnd() + '\n```'
  if (isPublished) return install('authmachine')
  return [
    'authmachine is not on npm yet. Pack it in a clone of its repository:',
    '```sh\nnpm ci && npm run build -- --pack\n```',
    'Then install it in your application. If the application’s folder is next to the clone, run this command in it:',
    install(`../authmachine/authmachine-${version}.tgz`).replace(
      ' authmachine-conformance',
      ` ../authmachine/authmachine-conformance-${version}.tgz`,
    ),
  ].join('\n\n')
}

/** Writes link definitions: relative paths until there is a public URL, absolute URLs from then on. */
export function writeLinks(definitions: string, { repository }: Manifest): string {
  const folder = repository ? `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/` : ''
  return definitions.trim().replaceAll(/^(\[[\w-]+\]: )(?:https:.*\/blob\/main\/)?/gm, `$1${folder}`)
}
