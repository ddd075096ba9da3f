import { describe, expect, it } from 'vitest'
import { chooseMaxAge } from '../../src/oauth/choose-checks.ts'
import { resolve } from './stage.ts'

const choose = (authorization: unknown, query = '') =>
  chooseMaxAge(resolve({ authorization }), new URLSearchParams(query))

describe('max_age', () => {
  it('OI-25 is configured as a parameter or in the URL', () => {
    expect(choose({ params: { max_age: 60 } })).toBe(60)
    expect(choose('https://idp.example/authorize?max_age=60')).toBe(60)
    expect(choose({ url: 'https://idp.example/authorize?max_age=60', params: { max_age: 30 } })).toBe(30)
    expect(choose(undefined)).toBeUndefined()
  })

  it('OI-25 is lowered by a request, and not raised', () => {
    const configured = { params: { max_age: 60 } }
    expect(choose(configured, 'max_age=0')).toBe(0)
    expect(choose(configured, 'max_age=61')).toBe(60)
    expect(choose(configured, 'max_age=61&max_age=5')).toBe(5)
    expect(choose(undefined, 'max_age=5')).toBe(5)
  })

  it.each(['', '-1', '1.5', 'soon', '1e3', '9'.repeat(10)])('OI-25 ignores "%s" in a request', (age) => {
    expect(choose({ params: { max_age: 60 } }, `max_age=${age}`)).toBe(60)
    expect(choose(undefined, `max_age=${age}`)).toBeUndefined()
  })
})
