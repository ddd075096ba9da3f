import { readdir } from 'node:fs/promises'
import MiniSearch from 'minisearch'
import { base, siteFolder } from '../../docs/site/folder.ts'
import { searchWords } from '../../docs/site/search-words.ts'
import { indexing, ranking } from '../../docs/site/search.ts'

/** What people search for, and a section that answers it. */
const searches: Readonly<Record<string, string>> = {
  'custom sign in page': 'guides/pages.html#use-your-own-sign-in-page',
  logout: 'guides/integrations.html#use-the-browser-client',
  'sign up': 'guides/passwords.html#sign-in-with-a-password',
  registration: 'guides/passwords.html#sign-in-with-a-password',
  'user id': 'guides/sessions.html#choose-what-a-session-contains',
  username: 'guides/providers.html#passwords-and-other-credentials',
  'profile fields': 'guides/sessions.html#choose-what-a-session-contains',
  anonymous: 'guides/integrations.html#protect-a-route',
  invite: 'guides/faq.html#how-do-i-admit-only-some-people',
  vue: 'guides/integrations.html#nuxt',
  tailwind: 'guides/pages.html#use-your-own-sign-in-page',
  docker: 'guides/deploying.html#runtimes',
  role: 'guides/roles.html#add-a-role-to-the-session',
  middleware: 'guides/integrations.html#in-middleware',
  'protect route': 'guides/integrations.html#protect-a-route',
  prisma: 'guides/prisma-drizzle.html#use-prisma',
  drizzle: 'guides/prisma-drizzle.html#use-drizzle',
  'remember me': 'guides/options.html#remember-users',
  password: 'guides/passwords.html#sign-in-with-a-password',
  organization: 'guides/faq.html#does-it-have-organizations-billing-or-an-admin-panel',
  'AUTH_URL proxy': 'guides/proxies.html#read-the-headers-of-a-reverse-proxy',
  'refresh token': 'guides/options.html#keep-access-tokens-fresh',
  'magic link': 'guides/email.html#send-links-by-smtp',
  '2fa': 'guides/second-factor.html#ask-for-a-code',
  'delete account': 'guides/sessions.html#use-the-built-in-account-page',
  'SE-04': 'requirements/sessions.html#se-04',
}

/** How many results a visitor sees at once. */
const shown = 3

/** Searches the built site as its visitors do. @returns the searches without their section, and words of no section */
export async function findUnfound(): Promise<string[]> {
  const index = await loadIndex()
  const missed = Object.entries(searches).flatMap(([query, wanted]) => {
    const found = index
      .search(query)
      .slice(0, shown)
      .map(({ id }) => String(id).slice(base.length))
    return found.includes(wanted)
      ? []
      : [`The search for "${query}" finds ${found.join(', ') || 'nothing'}, not ${wanted}`]
  })
  const unknown = Object.keys(searchWords).filter((section) => !index.has(base + section))
  return [...missed, ...unknown.map((section) => `docs/site/search-words.ts: ${section} is no section`)]
}

async function loadIndex(): Promise<MiniSearch> {
  const chunks = new URL('assets/chunks/', siteFolder)
  const [file = ''] = (await readdir(chunks)).filter((name) => name.startsWith('@localSearchIndex'))
  const { default: text } = (await import(new URL(file, chunks).href)) as { readonly default: string }
  return MiniSearch.loadJSON(text, {
    storeFields: ['title', 'titles'],
    ...indexing,
    searchOptions: ranking,
  })
}
