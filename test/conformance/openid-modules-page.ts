import { findProperty } from '../../fuzz/properties/index.ts'
import { listApplicationsByUrl } from '../mutants/controls/by-url.ts'
import { plans, type Judged, type Module, type Plan } from './openid-modules.ts'

/** What happens to a module in a run of the oracle. */
type Kind = 'by URL' | 'in process' | 'not applicable' | 'not judged'

/** Writes the page of the site that lists the modules of the OpenID conformance suite. */
export function writeModulesPage(): string {
  const counts = countModules()
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `# Modules of the OpenID conformance suite

The [OpenID Foundation](https://openid.net/certification/about-conformance-suite/) certifies relying parties with its
conformance suite, in which each module is a provider that does one thing, right or wrong. This page lists all ${total} modules
by their names of August 2026, and the property in which the oracle's provider does the same. The oracle tests applications with
a fixed client that use the code flow.

**A run of the oracle is not a certification run**: it neither uses nor replaces the suite.

- ${counts['by URL'] + counts['in process']} modules have a property: ${counts['by URL']} also by the URL of an application, ${counts['in process']} in process only. A property about a
  fault of the provider passes only if a sign-in without the fault succeeds.
- ${counts['not applicable']} modules do not apply.
- ${counts['not judged']} modules apply, and have no property.

${plans.map(writePlan).join('\n\n')}
`
}

/** Counts the modules of each kind. */
export function countModules(): Readonly<Record<Kind, number>> {
  const counts = { 'by URL': 0, 'in process': 0, 'not applicable': 0, 'not judged': 0 }
  for (const { modules } of plans) for (const module of Object.values(modules)) counts[kindOf(module)] += 1
  return counts
}

/** Tells what happens to a module; whether its property can be judged by URL follows from what the property needs. */
export function kindOf(module: Module): Kind {
  if ('notApplicable' in module) return 'not applicable'
  if ('notJudged' in module) return 'not judged'
  return isByUrl(module) ? 'by URL' : 'in process'
}

function isByUrl({ property, setup }: Judged): boolean {
  const applications = listApplicationsByUrl(findProperty(property))
  return setup === undefined ? applications.length > 0 : applications.includes(setup)
}

function writePlan({ title, plan, note, modules }: Plan): string {
  const rows = Object.entries(modules).map(([name, module]) =>
    [`\`${name}\``, module.does, kindOf(module), writeAnswer(module)].join(' | '),
  )
  return `## ${title}

${writeSource(plan, note)}

| Module | Its provider | Judged | By the property, or why not |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}`
}

function writeSource(plan: string, note: string | undefined): string {
  const source = `These modules belong to the plan \`${plan}\`.`
  return note === undefined ? source : `${source} ${note}`
}

function writeAnswer(module: Module): string {
  if ('property' in module) return linkProperty(module.property)
  const reason = 'notApplicable' in module ? module.notApplicable : module.notJudged
  return module.similar === undefined ? reason : `${reason} Similar: ${linkProperty(module.similar)}`
}

function linkProperty(name: string): string {
  const [id] = findProperty(name).proves
  return `${name} ([${id}](../spec/requirements.md#${id}))`
}
