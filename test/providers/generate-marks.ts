import type { GeneratedFiles, Generator } from '../support/generator.ts'

/**
 * Writes a module with the mark of each provider that Simple Icons has (CC0-1.0). Bundles of applications contain only the
 * marks of their providers.
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

async function generate(): Promise<GeneratedFiles> {
  // Loaded here, because it contains thousands of icons.
  const exported = Object.values(await import('simple-icons'))
  const icons = new Map(exported.flatMap((each) => ('slug' in each ? [[each.slug, each.path] as const] : [])))
  const all = [...modules.map((name) => [name, name] as const), ...Object.entries(others)]
  const lines = all.map(([module, icon]) => {
    const path = icons.get(icon)
    if (path === undefined) throw new Error(`Simple Icons has no path for ${icon}`)
    return `export const ${module.replace('-u', 'U')}: string = '${path}'\n`
  })
  const head = '// From Simple Icons, CC0-1.0. Written by `npm run generated`.\n\n'
  return { 'src/provider-base/marks.ts': head + lines.join('') }
}
