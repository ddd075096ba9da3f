import { describe, expect, it } from 'vitest'
import { expectSeparate } from '../support/visitors/expect-separate.ts'
import { mixVisitors } from '../support/visitors/mix-visitors.ts'
import type { Site } from '../support/visitors/requests.ts'
import { apps, type App } from './apps.ts'
import { openStageOf, pin, type Stage } from './stage.ts'

const siteOf = ({ pages = ['/', '/members'], gate, proxy }: App, { origin, basePath }: Stage): Site => ({
  origin: origin(),
  basePath,
  pages,
  gate,
  pin,
  headers: proxy?.headers ?? {},
})

const NODE_OPTIONS = `--import=${new URL('../support/visitors/repeat-cookies.ts', import.meta.url).href}`

describe.each(apps.filter(({ serve }) => serve))('an application on $name', (app) => {
  describe('as it is', () => {
    const stage = openStageOf(app, { isQuiet: true })

    it('CC-12 gives nothing of one visitor to another', () => expectSeparate(siteOf(app, stage)))
  })

  describe('that repeats the cookies of the response before', () => {
    const stage = openStageOf(app, { isQuiet: true, environment: { NODE_OPTIONS } })

    it('is found by the visitors', async () => {
      const { faults } = await mixVisitors(siteOf(app, stage), 1)
      expect(faults.join('\n')).toMatch(/repeats .* of #/)
    })
  })
})
