import module from 'node:module'

/**
 * Allows reloading the ES modules of some folders, which resets their state.
 * @param folders their URLs, each with a trailing slash
 * @returns a function that maps a module's URL to one under which it and its imports from the folders load again
 */
export function renewModules(folders: readonly string[]): (url: string) => string {
  let graphs = 0
  module.registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const graph = new URL(context.parentURL ?? 'none:').searchParams.get('graph')
      const isTheirs = graph !== null && folders.some((folder) => resolved.url.startsWith(folder))
      return isTheirs ? { ...resolved, url: inGraph(resolved.url, graph) } : resolved
    },
  })
  return (url) => inGraph(url, String((graphs += 1)))
}

function inGraph(url: string, graph: string): string {
  const named = new URL(url)
  named.searchParams.set('graph', graph)
  return named.href
}
