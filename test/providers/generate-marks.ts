import { readFile } from 'node:fs/promises'
import type { GeneratedFiles, Generator } from '../support/generator.ts'

/**
 * Writes a module for the mark of each provider that Simple Icons has (CC0-1.0). A provider imports its own mark, so that
 * applications contain no others.
 */
export const providerMarks: Generator = { name: 'provider marks', generate }

/**
 * Names of modules in `src/providers/`: the best known ones, because each mark makes the package larger. Others have a
 * letter.
 */
const modules =
  'apple atlassian auth0 authentik bitbucket discord dropbox facebook faceit figma github gitlab google hubspot instagram keycloak line mastodon mattermost naver netlify nextcloud notion okta patreon pinterest reddit roblox spotify strava threads tiktok todoist trakt twitch vk wechat zoom'.split(
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
