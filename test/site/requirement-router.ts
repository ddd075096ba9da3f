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

/** Lets the search find each requirement by its id, and lead to its place in the page of its chapter. */
export class RequirementRouter extends KindRouter {
  readonly #urls = new Map<RouterTarget, string>()

  /** Documents stand in the site as they do in the repository. */
  protected override getIdealBaseName(target: Reflection): string {
    const slug = target.isDocument() ? target.frontmatter['slug'] : undefined
    return typeof slug === 'string' ? slug : super.getIdealBaseName(target)
  }

  override buildPages(project: ProjectReflection): PageDefinition[] {
    for (const { id } of requirements) this.#urls.set(new DocumentReflection(id, project, [], {}), urlOf(id))
    return super.buildPages(project)
  }

  override getLinkTargets(): RouterTarget[] {
    return [...super.getLinkTargets(), ...this.#urls.keys()]
  }

  override getFullUrl(target: RouterTarget): string {
    return this.#urls.get(target) ?? super.getFullUrl(target)
  }
}

/** Where the site has a requirement, from its top. */
export function urlOf(id: string): string {
  const { file, anchor } = placeOf(id)
  return `${slugOf(`requirements/${file}`)}.html#${anchor}`
}

/** Where the site has a document, from its top and without the ending. */
export function slugOf(path: string): string {
  return path
    .replace(/\.md$/, '')
    .replace(/README$/, 'index')
    .toLowerCase()
}
