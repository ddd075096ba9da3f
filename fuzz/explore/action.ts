import type { Browser } from '../world/browser.ts'
import { people } from '../world/people.ts'
import type { Scene } from './scene.ts'
import type { BrowserTruth, Claim, MailKind, MailTruth, Name, UserTruth } from './truth.ts'

/** An action of a person or of the application, or a pause. */
export interface Action {
  /** In words: `Ada signs out on her phone`. */
  readonly says: string
  /** The browser in which it happens. */
  readonly in?: string
  /** The capability that the target needs for it. */
  readonly needs?: string
  /** Whether the action is only tried as the first of a sequence, because there are many similar actions. */
  readonly isFirst?: true
  /** Whether it can have an effect in this state. */
  readonly allows: (scene: Scene) => boolean
  readonly run: (scene: Scene) => Promise<Claim>
}

/** A person at a browser. */
export interface Seat {
  readonly person: Name
  readonly browser: string
}

/** Names a person at a browser: `Ada, at Ada’s phone,`. */
export function nameSeat({ person, browser }: Seat): string {
  return `${capitalise(person)}, at ${browser},`
}

export function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export function browserOf({ browsers }: Scene, name: string): Browser {
  const browser = browsers.get(name)
  if (!browser) throw new Error(`there is no browser ${name}`)
  return browser
}

export function factsOf({ truth }: Scene, browser: string): BrowserTruth {
  return (truth.browsers[browser] ??= {})
}

/** Returns the user who is signed in in a browser. */
export function userIn(scene: Scene, browser: string): UserTruth | undefined {
  const { session } = factsOf(scene, browser)
  return session && scene.truth.users[session.user]
}

/** Returns whether nobody else is signed in in the browser: honest people do not use the session of another person. */
export function isFree(scene: Scene, { person, browser }: Seat): boolean {
  const user = userIn(scene, browser)
  return user === undefined || user.owner === person
}

/** Returns whether the person is signed in there. */
export function isIn(scene: Scene, { person, browser }: Seat): boolean {
  return userIn(scene, browser)?.owner === person
}

/** Stores the mails that arrived: at most two mails of a kind to an address. Returns the last one that arrived. */
export function collectMail(scene: Scene, kind: MailKind, browser: string): MailTruth | undefined {
  const { world, truth } = scene
  let last: MailTruth | undefined
  for (const { to, link, token } of world.mailbox.mails) {
    // A link for a change is for the user of the session, who does not have the new address yet.
    const user =
      kind === 'address'
        ? factsOf(scene, browser).session?.user
        : world.rows.users.find(({ email }) => email === to)?.id
    const epoch = user === undefined ? 0 : (truth.users[user]?.epoch ?? 0)
    const mail: MailTruth = {
      id: crypto.randomUUID(),
      kind,
      to,
      link: link.href,
      token,
      at: world.clock.now(),
      browser,
      user,
      epoch,
      used: false,
    }
    const same = truth.mails.filter((each) => each.kind === kind && each.to === to)
    const kept = truth.mails.filter((each) => same.length < 2 || each !== same[0])
    truth.mails = [...kept, mail]
    last = mail
  }
  return last
}

/** The newest mail, or the previous one. */
export type Age = 'newest' | 'older'

/** Names the link of a mail. */
export function nameLink(age: Age): string {
  return age === 'newest' ? 'newest link' : 'previous link'
}

/** The address to which a person gets mails. */
export function addressOf(person: Name): string {
  return people[person].address.mail
}

/** Returns a mail of a kind to an address. */
export function findMail({ truth }: Scene, kind: MailKind, to: string, age: Age): MailTruth | undefined {
  return truth.mails.filter((each) => each.kind === kind && each.to === to).at(age === 'newest' ? -1 : -2)
}
