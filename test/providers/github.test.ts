import { describe, expect, it } from 'vitest'
import GitHub from '../../src/providers/github.ts'
import { customFetch } from '../../src/types/symbols.ts'

const user = { id: 1, login: 'octocat', name: null, email: null, avatar_url: 'https://example.com/a.png' }

describe('GitHub', () => {
  it('PRV-017 uses the login as name of a user without one', () => {
    expect(GitHub().profile?.(user, {})).toMatchObject({ name: 'octocat', email: null })
  })

  it('PRV-026 sends its requests through the given fetch, with the token, without following redirects', async () => {
    const asked = await read({ '/user': Response.json(user), '/user/emails': Response.json([]) })
    expect(asked.urls).toEqual(['https://api.github.com/user', 'https://api.github.com/user/emails'])
    for (const init of asked.inits) {
      expect(init).toMatchObject({ redirect: 'manual', headers: { authorization: 'Bearer token' } })
    }
  })

  it('PRV-026 does not fall back to another fetch', async () => {
    const provider = GitHub()
    await expect(async () =>
      requestOf(provider)({ tokens: {}, provider: provider as never }),
    ).rejects.toThrow(/customFetch/)
  })

  it('PRV-017 requests the addresses only if the profile has none', async () => {
    const open = { ...user, email: 'octocat@github.com' }
    const { urls, answer } = await read({ '/user': Response.json(open) })
    expect(urls).toEqual(['https://api.github.com/user'])
    expect(answer).toEqual(open)
  })

  it('AL-09 prefers a verified address, then the primary one, and reports whether it is verified', async () => {
    const mine = entry('mine@example.com', true, true)
    expect(await choose(entry('other@example.com', false, true), mine)).toEqual(['mine@example.com', true])
    const claimed = entry('claimed@example.com', true, false)
    expect(await choose(claimed, entry('ok@example.com', false, true))).toEqual(['ok@example.com', true])
    expect(await choose(claimed)).toEqual(['claimed@example.com', false])
    expect(await choose(entry('claimed@example.com', true, 'true'))).toEqual(['claimed@example.com', false])
    expect(await choose(null, 'x', {}, entry({}, true, true))).toEqual([null, undefined])
  })

  it('OI-13 does not treat a failed response as a user, or a failed list as empty', async () => {
    await expect(read({ '/user': new Response('{"id":1}', { status: 500 }) })).rejects.toThrow('500')
    await expect(read({ '/user': new Response('<html>') })).rejects.toThrow()
    const broken = { '/user': Response.json(user), '/user/emails': new Response('', { status: 502 }) }
    await expect(read(broken)).rejects.toThrow('502')
  })

  it('DEC-13e continues without an address if the app may not read them', async () => {
    for (const status of [403, 404]) {
      const emails = Response.json({ message: 'Resource not accessible by integration' }, { status })
      expect((await read({ '/user': Response.json(user), '/user/emails': emails })).answer).toEqual(user)
    }
    const odd = await read({ '/user': Response.json(user), '/user/emails': Response.json({}) })
    expect(odd.answer).toEqual(user)
  })

  it("OI-01 expects GitHub's own issuer", () => {
    expect(GitHub().issuer).toBe('https://github.com/login/oauth')
  })

  it('PRV-025 uses an Enterprise Server for every endpoint', async () => {
    const enterprise = { baseUrl: 'https://git.example.com/' }
    expect(GitHub({ enterprise })).toMatchObject({
      issuer: 'https://git.example.com/login/oauth',
      authorization: { url: 'https://git.example.com/login/oauth/authorize' },
      token: 'https://git.example.com/login/oauth/access_token',
      userinfo: { url: 'https://git.example.com/api/v3/user' },
    })
    const answers = { '/user': Response.json(user), '/user/emails': Response.json([]) }
    const { urls } = await read(answers, GitHub({ enterprise }))
    expect(urls).toEqual([
      'https://git.example.com/api/v3/user',
      'https://git.example.com/api/v3/user/emails',
    ])
  })
})

function entry(email: unknown, primary: boolean, verified: unknown) {
  return { email, primary, verified }
}

/** The chosen address of a list, and whether it counts as verified. */
async function choose(...list: unknown[]) {
  const { answer } = await read({ '/user': Response.json(user), '/user/emails': Response.json(list) })
  const { email, email_verified: proven } = answer as { email: string | null; email_verified?: boolean }
  return [email, proven]
}

function requestOf(provider: ReturnType<typeof GitHub>) {
  const request = typeof provider.userinfo === 'object' ? provider.userinfo.request : undefined
  if (request === undefined) throw new Error('GitHub has no userinfo request')
  return request
}

/** Runs the userinfo request with responses by path. Other paths fail with a network error. */
async function read(answers: Record<string, Response>, provider = GitHub()) {
  const urls: string[] = []
  const inits: (RequestInit | undefined)[] = []
  const send: typeof fetch = async (input, init) => {
    const url = new Request(input).url
    urls.push(url)
    inits.push(init)
    const answer = answers[new URL(url).pathname.replace('/api/v3', '')]
    if (answer === undefined) throw new TypeError('fetch failed')
    return answer
  }
  const context = { tokens: { access_token: 'token' }, provider: { ...provider, [customFetch]: send } }
  return { answer: await requestOf(provider)(context as never), urls, inits }
}
