/** The kinds of source that `spec/sources.md` describes. */
const described = /^(Interface|Decision|Wire|Observation|Note)[: ]/

const section = String.raw`[A-Z]?[\d.]+(?:-[\d.]+)?(?: \([\d-]+\))?`
const sections = String.raw`§${section}(?:, §${section})*`

/** How public standards, advisories and issues are cited. A reader can find each by its name. */
const published: readonly RegExp[] = [
  new RegExp(String.raw`^RFC \d+(?:bis)?(?: ${sections})?$`),
  new RegExp(String.raw`^OIDC (?:Core|Discovery|RP-Initiated Logout|Back-Channel Logout) ${sections}$`),
  new RegExp(String.raw`^WebAuthn L3 ${sections}$`),
  new RegExp(String.raw`^NIST SP 800-[\dA-Z-]+(?: Part \d)? ${sections}$`),
  /^ASVS [\d.]+(?:-[\d.]+)?(?:, [\d.]+(?:-[\d.]+)?)*$/,
  /^CVE-\d{4}-\d{4,}$/,
  /^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/,
  /^CWE-\d+$/,
  /^WHATWG URL$/,
  /^WCAG 2\.2 §[\d.]+(?:, §[\d.]+)*$/,
  /^OWASP [A-Z].*Cheat Sheet$/,
  /^POSIX\.1-2024 XCU §[\d.]+$/,
  /^[\w.-]+\/[\w.-]+#\d+$/,
]

/** A heading of `spec/sources.md`. */
export interface DescribedSource {
  readonly anchor: string
  /** The bold entries below it. */
  readonly entries: ReadonlySet<string>
}

/** Splits the `source` of a requirement into its citations. */
export function citationsOf(source: string): readonly string[] {
  return source.split('; ')
}

/** Whether a citation names a public standard, advisory or issue in its usual form. */
export function isPublished(citation: string): boolean {
  return published.some((form) => form.test(citation))
}

/** Reads the headings of `spec/sources.md`, by what a citation calls them: `Wire 5.3`, `Interface: Callbacks`. */
export function readSources(markdown: string): ReadonlyMap<string, DescribedSource> {
  return new Map(
    markdown
      .split(/^### /m)
      .slice(1)
      .map((text) => {
        const [heading = '', body = ''] = text.split(/\n([^]*)/)
        const entries = new Set([...body.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, entry = '']) => entry))
        for (const [, entry = ''] of body.matchAll(/\*\* and \*\*(.+?)\*\*/g)) entries.add(entry)
        return [nameOf(heading), { anchor: anchorOf(heading), entries }]
      }),
  )
}

/** Finds the heading that a citation names; undefined if the heading or one of the named entries is missing. */
export function findSource(
  citation: string,
  sources: ReadonlyMap<string, DescribedSource>,
): DescribedSource | undefined {
  if (!described.test(citation)) return undefined
  const [name = '', ...entries] = citation.split(', ')
  const source = sources.get(name)
  return source && entries.every((entry) => source.entries.has(entry)) ? source : undefined
}

/** `Wire 5.3: Authorization redirect` is cited as `Wire 5.3`. Other headings are cited unchanged. */
function nameOf(heading: string): string {
  return /^(?:Decision|Wire) [\d.]+(?=: )/.exec(heading)?.[0] ?? heading
}

/** The anchor that renderers of Markdown give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
