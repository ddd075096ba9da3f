import type { Browser, Sending } from '../../world/browser.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

/** Places where a request can carry a redirect target. */
export const sources = ['body', 'query', 'cookie', 'referer', 'body of JSON'] as const
export type Source = (typeof sources)[number]

/** Actions that may redirect. */
export const redirectingActions = [
  'alpha',
  'a refusal',
  'mail',
  'its link',
  'form',
  'a wrong password',
  'signout',
  'pages',
] as const
export type RedirectingAction = (typeof redirectingActions)[number]

/** A requested redirect target. */
export interface RedirectRequest {
  readonly action: RedirectingAction
  readonly source: Source
  readonly target: string
  /** Whether a script sends the request, and gets the target in JSON. */
  readonly byScript?: boolean
}

/** Runs an action that ends with a redirect to a requested target, and returns the application's responses. */
export async function runAction(
  world: World,
  browser: Browser,
  wish: RedirectRequest,
): Promise<readonly Reply[]> {
  const { ada } = world.people
  const { action, source, target } = wish
  const replies: Reply[] = []
  const csrfToken = await browser.csrfToken()
  if (source === 'cookie') plantTarget(world, browser, target)
  const send = async (path: string, form?: Readonly<Record<string, string>>) => {
    const reply = await browser.send(
      ...buildRequest(`${world.basePath}/${path}`, wish, form && { csrfToken, ...form }),
    )
    replies.push(reply)
    return reply
  }
  const idOf = (name: 'alpha' | 'mail' | 'form') => world.idOf(name) ?? ''
  const fromAlpha = async (fault: boolean) => {
    const { location } = await send(`signin/${idOf('alpha')}`, {})
    if (!location || location.origin === world.origin) return
    world.idps.alpha.choose('ada-at-alpha')
    world.idps.alpha.misbehave(...(fault ? (['access-denied'] as const) : []))
    const { parameters } = await world.idps.alpha.authorize(location.href)
    world.prove(browser, ada, 'alpha')
    const own = source === 'query' ? `&${new URLSearchParams({ callbackUrl: target })}` : ''
    replies.push(await browser.send(`${world.basePath}/callback/${idOf('alpha')}?${parameters}${own}`))
    world.idps.alpha.misbehave()
  }
  switch (action) {
    case 'alpha':
      await fromAlpha(false)
      break
    case 'a refusal':
      await fromAlpha(true)
      break
    case 'mail':
    case 'its link': {
      if (!world.idOf('mail')) break
      const before = world.mailbox.mails.length
      await send(`signin/${idOf('mail')}`, { email: ada.address.mail })
      const mail = await world.mailbox.waitFor(ada.address.mail, before)
      if (!mail) break
      const link = new URL(mail.link)
      if (action === 'its link') link.searchParams.set('callbackUrl', target)
      replies.push(await browser.followLink({ ...mail, link }))
      break
    }
    case 'form':
    case 'a wrong password':
      if (action === 'form') world.prove(browser, ada, 'form')
      if (world.idOf('form'))
        await send(`callback/${idOf('form')}`, {
          username: ada.name,
          password: action === 'form' ? ada.password : 'wrong',
        })
      break
    case 'signout':
      await send('signout', {})
      break
    case 'pages':
      for (const page of ['signin', 'signout', 'error?error=Verification', 'session']) await send(page)
  }
  return replies
}

/** Builds a request that carries the target where `source` says. */
function buildRequest(
  path: string,
  { source, target, byScript }: RedirectRequest,
  form: Readonly<Record<string, string>> | undefined,
): [string, Sending] {
  const query =
    source === 'query'
      ? `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ callbackUrl: target })}`
      : ''
  const headers = {
    ...(byScript && { 'x-auth-return-redirect': '1' }),
    ...(source === 'referer' && isHeaderValue(target) && { referer: target }),
  }
  const callbackUrl = source.startsWith('body') && { callbackUrl: target }
  if (!form) return [`${path}${query}`, { headers }]
  const fields = { ...form, ...callbackUrl }
  return [
    `${path}${query}`,
    { headers, ...(source === 'body of JSON' ? { json: fields } : { form: fields }) },
  ]
}

/** Puts a target into the callback-url cookie. */
export function plantTarget(world: World, browser: Browser, target: string): void {
  const name = Object.keys(browser.cookies()).find((each) => /callback-?url/i.test(each))
  const planted = name ?? `__Secure-authjs.callback-url`
  browser.setCookie(`${planted}=${encodeURIComponent(toWellFormed(target))}; Path=/; Secure; HttpOnly`)
  world.reach(name ? 'the cookie was overwritten' : 'the cookie was set')
}

/** Replaces lone surrogates, which cannot be encoded. */
export function toWellFormed(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
}

function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

/** Returns the targets of a response, from its Location and its JSON body; undefined for an invalid URL. */
export function targetsOf({ headers, json, location }: Reply, base: string): readonly (URL | undefined)[] {
  const url = member(json, 'url')
  const byScript = typeof url === 'string' ? [URL.canParse(url, base) ? new URL(url, base) : undefined] : []
  return [...(headers.has('location') ? [location] : []), ...byScript]
}
