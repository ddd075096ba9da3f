import { describe, expect, it } from 'vitest'
import { chart, does } from '../../machines/chart.ts'
import { chartStatesOf, idsOf, witnessesIn } from './collect.ts'

const named = (source: string): readonly string[] =>
  witnessesIn(source, 'a.test.ts').map(({ ids, name }) => `${ids.join(' ')} <- ${name}`)

describe('ids at the start of a name', () => {
  it.each([
    ['TX-01 a callback', ['TX-01']],
    ['TX-01 TX-02 a callback', ['TX-01', 'TX-02']],
    ['TX-01, DEC-17a: a callback', ['TX-01', 'DEC-17a']],
    ['CFG-001', ['CFG-001']],
    ['TX-999 an id that does not exist is still named', ['TX-999']],
    ['a callback TX-01', []],
    ['SHA-256 is not a requirement', []],
    ['tx-01 neither', []],
    ['TX-01x2 neither', []],
    ['', []],
  ])('%j', (name, ids) => {
    expect(idsOf(name)).toEqual(ids)
  })
})

describe('witnesses', () => {
  it('are read from every kind of call', () => {
    const source = `
      describe('TX-01 callbacks', () => {
        it('TX-02 a flip', () => {})
        test(\`TX-03 restored\`, () => {})
        it.each(rows)('TX-04 at %s', () => {})
        it.only('TX-05 other provider', () => {})
        it.skipIf(slow)('TX-06 issuer', () => {})
        it.each\`a\${1}\`('TX-07 issuer', () => {})
      })
      scenario('TX-08 pkce', {})
      property(\`TX-09 for \${all}\`, {})
      it('TX-10 ' + what, () => {})
    `
    expect(named(source)).toEqual([
      'TX-01 <- TX-01 callbacks',
      'TX-02 <- TX-02 a flip',
      'TX-03 <- TX-03 restored',
      'TX-04 <- TX-04 at %s',
      'TX-05 <- TX-05 other provider',
      'TX-06 <- TX-06 issuer',
      'TX-07 <- TX-07 issuer',
      'TX-08 <- TX-08 pkce',
      'TX-09 <- TX-09 for …',
      'TX-10 <- TX-10 …',
    ])
  })

  it('are read from proves, once', () => {
    const source = `
      it('holds', { proves: ['SE-01', 'SE-02'] }, () => {})
      property('SE-03 holds', { proves: ['SE-03', 'SE-04'] as const })
      export const list = [{ name: 'SE-05 holds', proves: ['SE-06'], run() {} }, { proves: ['SE-07'] }]
    `
    expect(named(source)).toEqual([
      'SE-01 SE-02 <- holds',
      'SE-03 SE-04 <- SE-03 holds',
      'SE-05 SE-06 <- SE-05 holds',
      'SE-07 <- SE-07',
    ])
  })

  it('do not include skipped, unnamed, misplaced or quoted ids', () => {
    const source = `
      it.skip('TX-01 later', () => {})
      it.todo('TX-02 later')
      it.fails('TX-03 not yet', () => {})
      describe.skip('TX-04 later', () => { it('TX-05 inside', () => {}) })
      it('no id TX-06', () => {})
      it(name, () => {})
      expect('TX-07 text').toBe('TX-07 text')
      const text = "it('TX-08 quoted', () => {})"
      // it('TX-09 a comment', () => {})
    `
    expect(named(source)).toEqual([])
  })
})

describe('chart states with requirements', () => {
  it('have the file of the chart and the path of the state', () => {
    const working = { description: '', invoke: does('read'), on: { read: 'done' } }
    const small = chart({
      id: 'session',
      description: '',
      meta: { spec: ['SES-010'] },
      initial: 'open',
      states: {
        open: {
          description: '',
          meta: { spec: ['SES-001', 'SES-002'] },
          initial: 'checking',
          states: { checking: { ...working, meta: { spec: ['SES-003'] } } },
        },
        done: { description: '', type: 'final', meta: { spec: [], ending: 'success' } },
      },
    })
    expect(chartStatesOf(small)).toEqual([
      { file: 'machines/session.ts', state: 'session', ids: ['SES-010'] },
      { file: 'machines/session.ts', state: 'session.open', ids: ['SES-001', 'SES-002'] },
      { file: 'machines/session.ts', state: 'session.open.checking', ids: ['SES-003'] },
      { file: 'machines/session.ts', state: 'session.done', ids: [] },
    ])
  })
})
