import type { Browser } from '../../../world/browser.ts'
import { member } from '../../../world/reply.ts'
import type { World } from '../../../world/world.ts'
import type { Answers } from '../questions.ts'
import { describeAction, describeSignIn, looksLikeToken, without } from './describe-actions.ts'
import { learnMail } from './learn-mail.ts'
import { learnCookie, learnSession, type ShownSession } from './learn-session.ts'
import { learnReturn, learnSignIn, renew, type SignIn } from './learn-sign-in.ts'
import { learnSignOut } from './learn-sign-out.ts'
import { act, consent, open, type Seen } from './visit.ts'

/** A longer cookie is probably the session itself, sealed or signed, and not the key of a stored one. */
const longestKey = 150

/** The findings about an application. */
export interface Learned {
  readonly answers: Answers
  /** The unknown parts of the description, and how to find them. */
  readonly gaps: readonly string[]
}

/** Returns the base URL of the routes of Auth.js, if the application has them. */
export async function findAuthJs(world: World): Promise<string | undefined> {
  for (const path of ['', '/auth', '/api/auth']) {
    const { json } = await world.browser().send(`${world.basePath}${path}/providers`)
    const [first]: unknown[] = typeof json === 'object' && json !== null ? Object.values(json) : []
    if (typeof member(first, 'signinUrl') === 'string') return `${world.origin}${world.basePath}${path}`
  }
  return undefined
}

/**
 * Signs in at a running application as a visitor would, and learns the answers to the questions of `init` from its
 * responses.
 */
export async function learnDescription(world: World): Promise<Learned> {
  const ways = await learnSignIn(world)
  const [signIn] = ways
  if (!signIn)
    return {
      answers: {},
      gaps: [
        'No link or button on its pages leads to a provider of the oracle. Is the application configured with the addresses of the oracle?',
      ],
    }
  const browser = world.browser('ada')
  const { action, csrf } = await renew(world, browser, signIn)
  const landing = await consent(world, browser, await act(world, browser, action))
  const target = await learnReturn(world, signIn, landing?.url.pathname ?? '')
  const session = landing && (await learnSession(world, browser, landing))
  const request = {
    ...action,
    fields: { ...without(action.fields, csrf), ...(target && { [target[0]]: target[1] }) },
  }
  const answers = describeSignIn(world, ways, request)
  if (!landing || !session)
    return {
      answers,
      gaps: ['After a sign-in, no page or API was found that shows the user. Pass --session and --user.'],
    }
  const rest = await learnRest(world, browser, { signIn, landing, session })
  const token = csrf === undefined ? rest.csrf : { page: signIn.page, field: csrf }
  return {
    answers: {
      ...answers,
      session: session.path,
      user: session.user,
      ...rest.answers,
      ...(token && { csrf: String(new URLSearchParams({ from: token.page, field: token.field })) }),
    },
    gaps: rest.gaps,
  }
}

interface Known {
  readonly signIn: SignIn
  readonly landing: Seen
  readonly session: ShownSession
}

/** Learns the parts that need a session: its cookie, and how to sign out. */
async function learnRest(world: World, browser: Browser, { signIn, landing, session }: Known) {
  const isSignedIn = async () => {
    const { reply } = await open(world, browser, `${world.basePath}${session.path}`)
    return reply.status === 200 && /\bada(?:@|-at-|\b)/.test(reply.text)
  }
  const cookie = await learnCookie(browser, isSignedIn)
  const landed = landing.url.pathname.slice(world.basePath.length) || '/'
  const signOut = await learnSignOut(world, browser, [landed, session.path, '/'], isSignedIn)
  const mail = await learnMail(world, [signIn.page, '/', '/login', '/signin'])
  const field = signOut?.action.hidden.find(looksLikeToken)
  const isSealed = (cookie?.value.length ?? 0) > longestKey
  const answers: Answers = {
    ...(signOut && {
      'sign-out': describeAction(world, { ...signOut.action, fields: without(signOut.action.fields, field) }),
    }),
    ...(mail && {
      mail: describeAction(world, {
        ...mail.action,
        fields: {
          ...without(mail.action.fields, ...mail.action.hidden.filter(looksLikeToken)),
          [mail.field]: '{address}',
        },
      }),
      link: mail.link,
    }),
    ...(cookie && { cookie: cookie.name }),
    ...(isSealed && signOut?.revokes === false && { stateless: 'yes' }),
    ...(signOut?.revokes === true && { stateless: 'no' }),
  }
  const gaps = [
    ...(signOut ? [] : ['No way to sign out was found. Pass --sign-out if there is one.']),
    ...(cookie ? [] : ['No single cookie is the session. Pass --cookie if there is one.']),
  ]
  return { answers, gaps, csrf: signOut && field !== undefined ? { page: signOut.page, field } : undefined }
}
