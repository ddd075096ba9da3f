import module from 'node:module'

/**
 * Has the ES modules of some folders loaded anew, with whatever they keep, as often as that is asked for.
 * @param folders their URLs, each with a slash at its end
 * @returns what gives a module that lies there a URL under which it is loaded anew, and all of theirs that it leads to
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
