import {
  DocumentReflection,
  KindRouter,
  type PageDefinition,
  type ProjectReflection,
  type Reflection,
  type RouterTarget,
} from 'typedoc'
import { requirements } from '../../spec/index.ts'
import { placeOf } from './requirement-pages.ts'

/** Lets the search find each requirement by its id and aliases, and lead to its place in the page of its topic. */
export class RequirementRouter extends KindRouter {
  readonly #urls = new Map<RouterTarget, string>()

  /** Documents keep their paths in the repository. */
  protected override getIdealBaseName(target: Reflection): string {
    const slug = target.isDocument() ? target.frontmatter['slug'] : undefined
    return typeof slug === 'string' ? slug : super.getIdealBaseName(target)
  }

  override buildPages(project: ProjectReflection): PageDefinition[] {
    for (const id of requirements.flatMap(({ id, aliases = [] }) => [id, ...aliases]))
      this.#urls.set(new DocumentReflection(id, project, [], {}), urlOf(id))
    return super.buildPages(project)
  }

  override getLinkTargets(): RouterTarget[] {
    return [...super.getLinkTargets(), ...this.#urls.keys()]
  }

  override getFullUrl(target: RouterTarget): string {
    return this.#urls.get(target) ?? super.getFullUrl(target)
  }
}

/** The URL of a requirement, relative to the site's top. */
export function urlOf(id: string): string {
  const { file, anchor } = placeOf(id)
  return `${slugOf(`requirements/${file}`)}.html#${anchor}`
}

/** The URL of a document, relative to the site's top and without its extension. */
export function slugOf(path: string): string {
  return path
    .replace(/\.md$/, '')
    .replace(/README$/, 'index')
    .toLowerCase()
}
