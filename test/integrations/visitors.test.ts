import { describe, it } from 'vitest'
import { expectSeparate } from '../support/visitors/expect-separate.ts'
import { apps } from './apps.ts'
import { openStageOf, pin } from './stage.ts'

describe.each(apps.filter(({ serve }) => serve))('an application on $name', (app) => {
  const { origin, basePath } = openStageOf(app, { isQuiet: true })
  const { pages = ['/', '/members'], proxy } = app

  it('gives nothing of one visitor to another', () =>
    expectSeparate({ origin: origin(), basePath, pages, pin, headers: proxy?.headers ?? {} }))
})
