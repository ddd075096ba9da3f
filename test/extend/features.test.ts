import {
  checkingCsrf,
  defineFeature,
  faulted,
  type Feature,
  featureChart,
  featureCookie,
  type FeatureDefinition,
  final,
  type GateDecision,
  refused,
  toolbox,
  userRecord,
  working,
} from 'authmachine/extend'
import { describe, expect, it } from 'vitest'
import { invitation } from '../../docs/examples/features/invitation.ts'
import { terms } from '../../docs/examples/features/terms.ts'
import { csrfOf, openApp, origin, sessionOf, signIn } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { heldSession } from '../support/session-cookie.ts'

const locationOf = (response: Response) => response.headers.get('location')

/** A feature with the given parts, and with a route that shows a page. */
function make(more: Partial<FeatureDefinition> = {}): Feature {
  return defineFeature({
    name: 'note',
    title: 'Note',
    options: {},
    routes: { note: { methods: ['GET', 'POST'], flow: () => noteFlow } },
    pages: {
      note: (data, kit) => ({
        heading: kit.t('heading'),
        parts: [kit.text(typeof data === 'string' ? data : '')],
      }),
    },
    texts: { en: { heading: 'A note' }, de: { heading: 'Eine Notiz' } },
    ...more,
  })
}

const note = featureCookie<string>('note', { maxAge: 60 })
const record = userRecord<string>('note')
const { step, outcome, flow } = toolbox<{ readonly text: string }>()

/** Keeps what is posted, and shows it. */
const noteFlow = flow({
  chart: featureChart({
    id: 'note',
    description: 'Keep a note',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('keepingNote'),
      keepingNote: working('Keep the note', 'keepNote', { 'note.kept': 'kept' }),
      kept: final('A page shows the note', 'success'),
      refused,
      faulted,
    },
  }),
  steps: {
    keepNote: step({
      says: { 'note.kept': ['text'] },
      async run(_, tools) {
        const { text, userId } = tools.request.body
        if (typeof userId === 'string')
          await record.write(userId, String(text), await record.read(userId, tools), tools)
        else if (typeof text === 'string') await note.write(text, tools)
        const read = tools.request.query.get('userId')
        const kept = read === null ? await note.read(tools) : (await record.read(read, tools))?.value
        return { type: 'note.kept', text: kept ?? 'nothing' }
      },
    }),
  },
  outcomes: { kept: outcome({ needs: ['text'], answer: ({ text }, tools) => tools.show('note', text) }) },
})

const post = async (agent: Agent, path: string, fields: Record<string, string>) =>
  agent.send(path, { form: { csrfToken: await csrfOf(agent), ...fields } })

describe('the routes of a feature', () => {
  it('FT-05 accept the methods that they name, and others do not exist', async () => {
    const app = openApp({
      config: { features: [make({ routes: { note: { methods: ['GET'], flow: () => noteFlow } } })] },
    })
    const agent = app.agent()
    expect((await agent.send('/auth/note')).status).toBe(200)
    const posted = await post(agent, '/auth/note', {})
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    for (const path of ['/auth/note-more', '/auth/note/idp', '/auth/notes'])
      expect((await agent.send(path)).status, path).toBe(404)
    expect((await openApp().agent().send('/auth/note')).status).toBe(404)
  })

  it('FT-05 need the CSRF token, even if the author forgets it', async () => {
    const unchecked = flow({
      chart: featureChart({
        id: 'unchecked',
        description: 'Do something at once',
        initial: 'acting',
        states: {
          acting: working('Act', 'act', { 'act.done': 'done' }),
          done: final('Done', 'success'),
          faulted,
        },
      }),
      steps: { act: step({ says: { 'act.done': [] }, run: () => ({ type: 'act.done' }) }) },
      outcomes: { done: outcome({ answer: (_, tools) => tools.goBack() }) },
    })
    const routes = {
      note: { methods: ['GET', 'POST'], flow: () => noteFlow },
      'note-unchecked': { methods: ['POST'], flow: () => unchecked },
    } as const
    const app = openApp({ config: { features: [make({ routes })] } })
    const agent = app.agent()
    const forged = await agent.send('/auth/note', { form: { text: 'forged' } })
    expect([app.ended(), locationOf(forged)]).toEqual(['refused', expect.stringContaining('MissingCSRF')])
    expect((await post(agent, '/auth/note-unchecked', {})).status).toBe(500)
    expect(app.errors.at(-1)?.message).toContain('must begin with `checkingCsrf`')
    expect(app.hops.map(({ state }) => state)).not.toContain('acting')
  })

  it('FT-05 need the CSRF token, even if a feature brings its own check', async () => {
    const { step: declare, outcome: end, flow: join } = toolbox()
    const open = join({
      chart: featureChart({
        id: 'open',
        description: 'Act',
        initial: 'checkingCsrf',
        states: { checkingCsrf: checkingCsrf('done'), done: final('Done', 'success'), refused, faulted },
      }),
      steps: {
        checkCsrf: declare({
          says: { 'csrf.accepted': [], 'csrf.mismatched': [] },
          run: () => ({ type: 'csrf.accepted' }),
        }),
      },
      outcomes: { done: end({ answer: (_, tools) => tools.goBack() }) },
    })
    const app = openApp({
      config: { features: [make({ routes: { note: { methods: ['GET', 'POST'], flow: () => open } } })] },
    })
    await app.agent().send('/auth/note', { form: { text: 'forged' } })
    expect(app.ended()).toBe('refused')
  })

  it('PG-01 show pages in the look and the language of the site, with all text escaped', async () => {
    const app = openApp({
      config: {
        features: [make()],
        texts: { de: { 'note.heading': 'Meine Notiz' } },
        theme: { brandColor: '#ff0000' },
      },
    })
    const agent = app.agent()
    await post(agent, '/auth/note', { text: '<script>alert(1)</script>' })
    const page = await agent.send('/auth/note')
    const html = await page.text()
    expect(html).toContain('&lt;script>')
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('A note')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const german = await agent.send('/auth/note', { headers: { 'accept-language': 'de' } })
    expect(await german.text()).toContain('<h1>Meine Notiz</h1>')
  })
})

describe('what a feature keeps', () => {
  it('FT-06 stays in the browser and under its name', async () => {
    const app = openApp({ config: { features: [make()] } })
    const [mine, other] = [app.agent(), app.agent()]
    await post(mine, '/auth/note', { text: 'mine' })
    expect(await (await mine.send('/auth/note')).text()).toContain('mine')
    await csrfOf(other)
    expect(await (await other.send('/auth/note')).text()).toContain('nothing')
    const name = '__Host-authjs.feature.note'
    other.set(`${name}=${mine.cookies()[name]}; Path=/; Secure`)
    expect(await (await other.send('/auth/note')).text()).toContain('nothing')
    mine.set(`${name}=${mine.cookies()[name]}x; Path=/; Secure`)
    expect(await (await mine.send('/auth/note')).text()).toContain('nothing')
    await post(mine, '/auth/note', { text: 'again' })
    app.clock.advance(61)
    expect(await (await mine.send('/auth/note')).text()).toContain('nothing')
  })

  it('FT-06 belongs to one user, and is deleted with them', async () => {
    const app = openApp({ strategy: 'database', config: { features: [make()] } })
    const agent = app.agent()
    for (const id of ['ada', 'bob'])
      await app.store.createUser({ id, email: `${id}@example.com`, emailVerified: null })
    await post(agent, '/auth/note', { userId: 'ada', text: 'a note of Ada' })
    expect(await (await agent.send('/auth/note?userId=ada')).text()).toContain('a note of Ada')
    const sealed = String(await app.store.getRecord('ada', 'feature-note'))
    expect(sealed).not.toContain('note')
    await app.store.setRecord('bob', 'feature-note', sealed)
    expect((await agent.send('/auth/note?userId=bob')).status).toBe(302)
    expect(app.errors.at(-1)?.message).toContain('cannot be opened')
    await app.store.deleteUser('ada')
    expect(await app.store.getRecord('ada', 'feature-note')).toBeNull()
  })
})

describe('the configuration of features', () => {
  const faults: readonly (readonly [Partial<FeatureDefinition>, string])[] = [
    [{ name: '' }, 'must be lower-case letters, digits and hyphens, got an empty string'],
    [{ name: 'signin', routes: {} }, 'the library uses this name'],
    [{ name: 'sign-in', routes: {} }, 'the library uses this name'],
    // The library would take what its gate has learnt for the second factor.
    [{ name: 'factor', routes: {} }, 'the library uses this name'],
    [{ routes: { session: { methods: ['GET'], flow: () => noteFlow } } }, 'got "session"'],
    [{ routes: { other: { methods: ['GET'], flow: () => noteFlow } } }, 'got "other"'],
    [{ check: () => '`text` must not be empty' }, 'The feature "note": `text` must not be empty'],
    [{ needs: ['getRecord'] }, 'needs an adapter'],
  ]

  it.each(faults)('FT-05 reports %j', async (more, message) => {
    const app = openApp({ config: { features: [make(more)] } })
    expect((await app.agent().send('/auth/session')).status).toBe(500)
    expect(app.errors.map((error) => error.message).join()).toContain(message)
  })

  it.each([
    ['note', 'note-2'],
    ['step2', 'step-2'],
  ])('FT-05 reports features whose names are too similar: %s and %s', async (one, other) => {
    const app = openApp({
      config: { features: [make({ name: one, routes: {} }), make({ name: other, routes: {} })] },
    })
    expect((await app.agent().send('/auth/session')).status).toBe(500)
    expect(app.errors[0]?.message).toContain(`"${one}" and "${other}"`)
  })

  it('FT-05 reports two features of one name, other values, and an adapter without an operation', async () => {
    const twice = openApp({ config: { features: [make(), make()] } })
    await twice.agent().send('/auth/session')
    expect(twice.errors[0]?.message).toContain('names that differ more: "note" and "note"')
    const { [Symbol.for('authmachine.find-fault')]: _, ...plain } = make() as never as Record<symbol, unknown>
    const other = openApp({ config: { features: [plain as never] } })
    await other.agent().send('/auth/session')
    expect(other.errors[0]?.message).toContain('must be the result of `defineFeature`')
    const small = openApp({
      strategy: 'database',
      config: { features: [terms({ version: '1', url: '/terms' })] },
      wrap: ({ setRecord: _set, ...adapter }) => adapter,
    })
    await small.agent().send('/auth/session')
    expect(small.errors[0]?.message).toContain('needs an adapter with `setRecord`')
  })
})

describe('invitations', () => {
  function openClub(wrap?: Parameters<typeof openApp>[0] extends { wrap?: infer W } | undefined ? W : never) {
    const open = new Set(['ada-may-come'])
    const club = invitation({
      use: async (code) => open.delete(code),
      giveBack: async (code) => void open.add(code),
    })
    return {
      open,
      app: openApp({ strategy: 'database', config: { features: [club] }, ...(wrap && { wrap }) }),
    }
  }

  it('FT-01 FT-03 are needed by new users only, and work once', async () => {
    const { open, app } = openClub()
    const agent = app.agent()
    await agent.send('/auth/invitation-link?code=ada-may-come')
    expect(locationOf(await signIn(app, agent))).toBe(`${origin}/auth/invitation`)
    expect(app.rows.users()).toEqual([])
    expect(await (await agent.send('/auth/invitation')).text()).toContain('value="ada-may-come"')
    expect((await post(agent, '/auth/invitation', { code: 'guessed' })).status).toBe(422)
    await post(agent, '/auth/invitation', { code: 'ada-may-come' })
    expect([app.ended(), open.size, await sessionOf(agent)]).toEqual(['signedIn', 0, expect.any(Object)])
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    expect(app.ended()).toBe('held')
    await post(bob, '/auth/invitation', { code: 'ada-may-come' })
    expect([app.ended(), heldSession(bob)]).toEqual(['asking', ''])
  })

  it('FT-03 work again if the sign-in fails on the server', async () => {
    let fails = true
    const { open, app } = openClub((adapter) => ({
      ...adapter,
      async createUser(user) {
        if (fails) throw new Error('the store is down')
        return adapter.createUser?.(user) ?? expect.fail()
      },
    }))
    const agent = app.agent()
    await signIn(app, agent)
    await post(agent, '/auth/invitation', { code: 'ada-may-come' })
    expect([app.ended(), open.size]).toEqual(['faulted', 1])
    fails = false
    await signIn(app, agent)
    await post(agent, '/auth/invitation', { code: 'ada-may-come' })
    expect([app.ended(), open.size]).toEqual(['signedIn', 0])
  })

  it('FT-01 come before the terms, in the order of the list, and both let the sign-in pass', async () => {
    const club = invitation({ use: async () => true, giveBack: async () => undefined })
    const features = [club, terms({ version: '1', url: '/terms' })]
    const app = openApp({ strategy: 'database', config: { features } })
    const agent = app.agent()
    expect(locationOf(await signIn(app, agent, 'idp', { callbackUrl: '/home' }))).toBe(
      `${origin}/auth/invitation`,
    )
    await post(agent, '/auth/terms', { accept: 'yes' })
    expect([app.ended(), heldSession(agent)]).toEqual(['lapsed', ''])
    expect(locationOf(await post(agent, '/auth/invitation', { code: 'any' }))).toBe(`${origin}/auth/terms`)
    const done = await post(agent, '/auth/terms', { accept: 'yes' })
    expect([app.ended(), locationOf(done)]).toEqual(['signedIn', `${origin}/home`])
    expect(app.rows.users()).toHaveLength(1)
  })

  it('FT-01 gates need no adapter', async () => {
    const gate = {
      description: 'Check the name',
      check: ({ name }: { name: string | undefined }) =>
        (name === 'Ada' ? 'pass' : { refuse: 'Only Ada' }) as GateDecision,
    }
    const app = openApp({ config: { features: [make({ gate })] } })
    const agent = app.agent()
    await signIn(app, agent)
    expect([app.ended(), await sessionOf(agent)]).toEqual(['signedIn', expect.any(Object)])
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    expect([app.ended(), heldSession(bob)]).toEqual(['denied', ''])
  })
})
