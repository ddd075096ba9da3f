import { parse, View } from 'vega'
import { compile } from 'vega-lite'

export function renderSvg(specification) {
  return new View(parse(compile(specification).spec), { renderer: 'none' }).toSVG()
}
