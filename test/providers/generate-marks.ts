import { readFile } from 'node:fs/promises'
import type { GeneratedFiles, Generator } from '../support/generator.ts'

/**
 * Writes a module for the mark of each provider that Simple Icons has (CC0-1.0). A provider imports its own mark, so that
 * applications contain no others.
 */
export const providerMarks: Generator = { name: 'provider marks', generate }

/** Names of modules in `src/providers/`. Marks with more than 2,100 characters are omitted, to keep the package small. */
const modules =
  'apple atlassian auth0 authentik bitbucket box coinbase discord dribbble dropbox facebook faceit figma foursquare fusionauth github gitlab google hubspot instagram keycloak line mastodon mattermost medium naver netlify nextcloud notion okta patreon pinterest reddit roblox simplelogin spotify strava threads tiktok todoist trakt twitch vk wechat wordpress zoom'.split(
    ' ',
  )

/** Modules whose icon has another name. */
const others: Readonly<Record<string, string>> = { 'click-up': 'clickup', twitter: 'x' }

const icons = new URL('../../node_modules/simple-icons/icons/', import.meta.url)

async function generate(): Promise<GeneratedFiles> {
  const all = [...modules.map((name) => [name, name] as const), ...Object.entries(others)]
  const files = await Promise.all(
    all.map(async ([module, icon]) => {
      const [, path] = / d="([^"]+)"/.exec(await readFile(new URL(`${icon}.svg`, icons), 'utf8')) ?? []
      if (path === undefined) throw new Error(`Simple Icons has no path for ${icon}`)
      const text = `/** From Simple Icons, CC0-1.0. Written by \`npm run generated\`. */\nexport const mark: string = '${path}'\n`
      return [`src/provider-marks/${module}.ts`, text] as const
    }),
  )
  return Object.fromEntries(files)
}
