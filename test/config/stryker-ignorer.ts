/** A node of the syntax tree, as far as it is looked at. */
interface Path {
  readonly node: { readonly type: string; readonly key?: { readonly name?: string } }
}

/** What a chart says of itself is for its readers: no request comes by it, and tests of the documentation hold it. */
function isTold({ node }: Path): boolean {
  return node.type === 'ObjectProperty' && ['description', 'meta'].includes(node.key?.name ?? '')
}

/** Keeps Stryker from mutating what does not run. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'told',
    value: {
      shouldIgnore: (path: Path) => (isTold(path) ? 'It is told, and does not run' : undefined),
    },
  },
]
