import type { Hosted } from '../../../world/hosted.ts'
import type { RemoteName } from '../../../world/people.ts'
import { Unreached } from '../../../world/breach.ts'
import { openWorld } from '../../../world/world.ts'
import type { Description } from '../../../targets/described/description.ts'
import { driveDescribed, remotes, type DescribedApplication } from '../../../targets/described/drive.ts'
import { presets } from '../../../targets/described/presets.ts'
import type { Answers } from '../questions.ts'

type Place = Omit<DescribedApplication, 'capabilities' | 'description'>

/** The presets with a callback and a cookie. An application that has both of a preset uses its library. */
const recognisable = Object.entries<Description | undefined>(presets).flatMap(([name, description]) =>
  description?.callback !== undefined && description.cookies?.session !== undefined
    ? [{ name, description }]
    : [],
)

/** Returns the preset with the callback and the session cookie that an application showed. */
export function findPreset({ callback, cookie }: Answers): string | undefined {
  return recognisable.find(
    ({ description }) => description.callback === callback && description.cookies?.session === cookie,
  )?.name
}

/** Tries to sign in with each preset. @returns the one whose callback and session cookie the application has, too */
export async function tryPresets(place: Place, hosted: Hosted): Promise<string | undefined> {
  for (const { name, description } of recognisable)
    if (await signsIn({ ...place, capabilities: [], description }, hosted)) return name
  return undefined
}

async function signsIn(application: DescribedApplication, hosted: Hosted): Promise<boolean> {
  const driver = await driveDescribed(application, hosted).catch(() => undefined)
  const provider = remotes.find((name) => driver?.providers.has(name))
  if (!driver || !provider) return false
  const { browser: open, described, people } = await openWorld(driver, {}, 0)
  const browser = open('ada')
  try {
    const { location } = await browser.start(provider)
    if (!namesCallback(application, provider, location)) return false
    await browser.arrive(await browser.visit(provider, people.ada))
    return described?.sessionCookie(browser.cookies()) !== ''
  } catch (error) {
    if (error instanceof Unreached) return false
    throw error
  }
}

function namesCallback(
  { origin, basePath, description }: DescribedApplication,
  provider: RemoteName,
  location: URL | undefined,
): boolean {
  const callback = description.callback?.replace('{provider}', provider)
  return location?.searchParams.get('redirect_uri') === `${origin}${basePath}${callback}`
}
