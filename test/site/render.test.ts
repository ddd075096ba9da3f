import { describe, expect, it } from 'vitest'
import { renderSite } from './render.ts'

const render = (source: string, documents: readonly string[] = []) =>
  renderSite({ entryPoints: new Map([['it', source]]), documents }, undefined)

describe('the documentation', { timeout: 120_000 }, () => {
  it('is not built with an export that has no comment', async () => {
    expect((await render('test/site/fixtures/undocumented.ts')).join()).toContain('forgotten')
    expect(await render('test/site/fixtures/documented.ts')).toEqual([])
  })
})
