import type { Point } from './boxes.ts'

const RADIUS = 8
const HEAD = { length: 8, half: 4 }

/** Writes a route as SVG path data with rounded corners. It ends where the arrowhead begins. */
export function drawRoute(route: readonly Point[]): string {
  const points = shorten(dropRepeats(route))
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    if (!before) return `M${at(point)}`
    if (!after) return `L${at(point)}`
    const radius = Math.min(RADIUS, distance(before, point) / 2, distance(point, after) / 2)
    return `L${at(toward(point, before, radius))}Q${at(point)} ${at(toward(point, after, radius))}`
  })
  return parts.join('')
}

/** Writes the arrowhead at the end of a route as SVG path data. */
export function drawHead(route: readonly Point[]): string {
  const [before, tip] = dropRepeats(route).slice(-2)
  if (!before || !tip) return ''
  const base = toward(tip, before, HEAD.length)
  const across = {
    x: ((tip.y - base.y) / HEAD.length) * HEAD.half,
    y: ((base.x - tip.x) / HEAD.length) * HEAD.half,
  }
  const left = { x: base.x + across.x, y: base.y + across.y }
  const right = { x: base.x - across.x, y: base.y - across.y }
  return `M${at(tip)}L${at(left)}L${at(right)}Z`
}

/** The line ends inside the head, so that the tip stays sharp. */
function shorten(points: readonly Point[]): readonly Point[] {
  const [before, tip] = points.slice(-2)
  return before && tip ? [...points.slice(0, -1), toward(tip, before, HEAD.length - 1)] : points
}

function dropRepeats(route: readonly Point[]): readonly Point[] {
  return route.filter((point, index) => {
    const before = route[index - 1]
    return !before || distance(before, point) > 0.01
  })
}

function toward(from: Point, to: Point, length: number): Point {
  const share = length / distance(from, to)
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function at({ x, y }: Point): string {
  return `${round(x)},${round(y)}`
}

/** Rounds to hundredths of a px, so that the result does not depend on the order of additions. */
export function round(length: number): number {
  return Math.round(length * 100) / 100
}
