import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchFiles } from './watch-files.ts'

describe('watchFiles', () => {
  it('reports changes to listed files, and after a report the changes that were made during it', async () => {
    const top = mkdtempSync(join(tmpdir(), 'authmachine-watch-'))
    onTestFinished(() => rmSync(top, { recursive: true }))
    mkdirSync(join(top, 'src'))
    const save = (name: string) => writeFileSync(join(top, 'src', name), String(Math.random()))
    save('a.ts')
    const list = () =>
      readdirSync(join(top, 'src')).flatMap((name) => (name.endsWith('.ts') ? [`src/${name}`] : []))
    const reports: (readonly string[])[] = []
    const stop = watchFiles(top, list, async (files) => {
      reports.push(files)
      if (reports.length === 1) save('b.ts')
    })
    onTestFinished(stop)
    save('ignored.log')
    save('a.ts')
    await vi.waitFor(() => expect(reports).toEqual([['src/a.ts'], ['src/b.ts']]), { timeout: 20_000 })
  })
})
