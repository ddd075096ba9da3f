import { testFeature } from 'authmachine/extend/testing'
import { expect, it } from 'vitest'
import { optionalActions } from '../../src/features/actions.ts'
import { featureOptions, listOptional } from '../../src/features/all.ts'
import { everyOption } from '../support/every-option.ts'

const features = listOptional(everyOption)

it('every option turns on its feature, and no feature is on without its option', () => {
  expect(features).toHaveLength(Object.keys(featureOptions).length)
  expect(listOptional({ providers: [] })).toEqual([])
})

it('the reserved actions are the routes of the features', () => {
  expect(features.flatMap(({ routes = {} }) => Object.keys(routes)).toSorted()).toEqual(
    optionalActions.toSorted(),
  )
})

it.each(features)('FT-05 the feature $name passes the testing kit', async (feature) => {
  await testFeature(feature)
})
