import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openPlayback } from '../../fuzz/world/playback.ts'

const told = () => '200'

describe('the playback of a case', () => {
  it('attributes transitions and calls to their requests, even if these run at the same time', async () => {
    const playback = openPlayback()
    const work = async (flow: string, pause: number) => {
      playback.hop(`${flow}: a -(one)-> b`)
      await wait(pause)
      playback.call('store', 'getUser')
      playback.hop(`${flow}: b -(two)-> c`)
    }
    await Promise.all([
      playback.during({ by: 'ada', text: 'GET x' }, () => work('x', 20), told),
      playback.during({ by: 'eve', text: 'GET y' }, () => work('y', 1), told),
    ])
    expect(playback.hops).toHaveLength(4)
    const hops = (flow: string) => [
      { kind: 'hop', flow, state: 'a', event: 'one', next: 'b' },
      { kind: 'call', to: 'store', text: 'getUser' },
      { kind: 'hop', flow, state: 'b', event: 'two', next: 'c' },
      { kind: 'reply', text: '200' },
    ]
    expect(playback.frames(String)).toEqual([
      { kind: 'request', by: 'ada', text: 'GET x' },
      ...hops('x'),
      { kind: 'request', by: 'eve', text: 'GET y, at the same time' },
      ...hops('y'),
    ])
  })

  it('hides a secret before it cuts a long text', async () => {
    const playback = openPlayback()
    const secret = 'a1'.repeat(20)
    playback.note(`${'x'.repeat(110)} ${secret}`)
    const [frame] = playback.frames((text) => text.replaceAll(secret, '‹secret 1›'))
    expect(frame).toEqual({ kind: 'note', text: `${'x'.repeat(110)} ‹secret 1…` })
  })

  it('keeps the last requests of a long case, and says how much is left out', async () => {
    const playback = openPlayback()
    for (let n = 0; n < 300; n++)
      await playback.during({ text: `GET ${n}` }, async () => playback.hop('x: a -(one)-> b'), told)
    const frames = playback.frames(String)
    expect(frames.slice(0, 2)).toEqual([
      { kind: 'note', text: 'The first 167 steps are left out' },
      { kind: 'request', text: 'GET 167' },
    ])
    expect(frames).toHaveLength(400)
  })

  it('keeps the chapters of a long case', async () => {
    const playback = openPlayback()
    playback.chapter('Before the first step')
    for (let n = 0; n < 300; n++)
      await playback.during({ text: `GET ${n}` }, async () => playback.hop('x: a -(one)-> b'), told)
    playback.chapter('Ada signs out', 1)
    const frames = playback.frames(String)
    expect(frames.slice(0, 2)).toEqual([
      { kind: 'chapter', text: 'Before the first step' },
      { kind: 'note', text: 'The first 167 steps are left out' },
    ])
    expect(frames.at(-1)).toEqual({ kind: 'chapter', text: 'Ada signs out', step: 1 })
  })
})
