import { describe, expect, it } from 'vitest'
import { writeInstallation, writeLinks } from './published.ts'

describe('the README', () => {
  it('installs from a tarball until the package is on npm', () => {
    expect(writeInstallation('kysely', { version: '1.2.3' }, false)).toContain(
      '\nnpm install ../authmachine/authmachine-1.2.3.tgz kysely\n',
    )
    expect(writeInstallation('authmachine-conformance', { version: '1.2.3' }, false)).toContain(
      '\nnpm install ../authmachine/authmachine-1.2.3.tgz ../authmachine/authmachine-conformance-1.2.3.tgz\n',
    )
    expect(writeInstallation('', { version: '1.2.3' }, true)).toBe('```sh\nnpm install authmachine\n```')
  })

  it('links to files until there is a public URL, and to that URL from then on', () => {
    const relative = '[embed]: docs/guides/embed.md\n[changelog]: CHANGELOG.md'
    const absolute =
      '[embed]: https://code.example/a/b/blob/main/docs/guides/embed.md\n[changelog]: https://code.example/a/b/blob/main/CHANGELOG.md'
    const manifest = { version: '1.2.3', repository: { url: 'git+https://code.example/a/b.git' } }
    expect(writeLinks(relative, manifest)).toBe(absolute)
    expect(writeLinks(absolute, manifest)).toBe(absolute)
    expect(writeLinks(absolute, { version: '1.2.3' })).toBe(relative)
  })
})
