import type { PackedBox } from '../data.ts'
import { isCalm, svg } from './dom.ts'

interface Camera {
  readonly x: number
  readonly y: number
  readonly scale: number
}

/** A surface with zoom and pan. */
export interface Canvas {
  readonly element: SVGSVGElement
  /** Shows a drawing of this size. */
  readonly show: (drawing: SVGGElement, size: readonly [width: number, height: number]) => void
  /** Zooms around the revealed box, if it is visible. */
  readonly zoom: (factor: number) => void
  readonly fit: () => void
  /** Moves the camera until a box is in the middle, if it is not visible. */
  readonly reveal: (box: PackedBox | undefined) => void
}

const limits = { least: 0.08, most: 4, fit: 1.25 }

/** Creates the surface. Dragging pans, the wheel scrolls, and with Ctrl or two fingers it zooms. */
export function createCanvas(label: string): Canvas {
  const stage = svg('g')
  const element = svg(
    'svg',
    { class: 'flow canvas', role: 'group', 'aria-label': label },
    svg('rect', { class: 'paper', width: '100%', height: '100%' }),
    stage,
  )
  let size: readonly [number, number] = [1, 1]
  let camera: Camera = { x: 0, y: 0, scale: 1 }
  let flight = 0
  let isFitted = true
  let revealed: PackedBox | undefined

  const room = () => ({ width: element.clientWidth, height: element.clientHeight })
  const set = (next: Camera) => {
    camera = next
    stage.setAttribute('transform', `translate(${next.x} ${next.y}) scale(${next.scale})`)
  }
  const fly = (to: Camera) => {
    cancelAnimationFrame(flight)
    if (isCalm()) return set(to)
    const [from, begin] = [camera, performance.now()]
    const step = (now: number) => {
      const share = Math.min(1, (now - begin) / 220)
      const eased = 1 - (1 - share) ** 3
      const between = (a: number, b: number) => a + (b - a) * eased
      set({
        x: between(from.x, to.x),
        y: between(from.y, to.y),
        scale: between(from.scale, to.scale),
      })
      if (share < 1) flight = requestAnimationFrame(step)
    }
    flight = requestAnimationFrame(step)
  }
  const zoomAt = (x: number, y: number, factor: number): Camera => {
    const scale = Math.min(limits.most, Math.max(limits.least, camera.scale * factor))
    const change = scale / camera.scale
    return { scale, x: x - (x - camera.x) * change, y: y - (y - camera.y) * change }
  }
  const fitted = (): Camera => {
    const { width, height } = room()
    const scale = Math.min(limits.fit, (width - 24) / size[0], (height - 24) / size[1])
    return { scale, x: (width - size[0] * scale) / 2, y: (height - size[1] * scale) / 2 }
  }

  const middleOf = ([x, y, width, height]: PackedBox) => ({
    x: camera.x + (x + width / 2) * camera.scale,
    y: camera.y + (y + height / 2) * camera.scale,
  })
  const isVisible = ({ x, y }: { readonly x: number; readonly y: number }) => {
    const { width, height } = room()
    return x > 60 && x < width - 60 && y > 50 && y < height - 50
  }

  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      cancelAnimationFrame(flight)
      isFitted = false
      const { left, top } = element.getBoundingClientRect()
      if (event.ctrlKey || event.metaKey)
        set(zoomAt(event.clientX - left, event.clientY - top, Math.exp(-event.deltaY / 200)))
      else set({ ...camera, x: camera.x - event.deltaX, y: camera.y - event.deltaY })
    },
    { passive: false },
  )
  dragWith(element, (dx, dy, pinch) => {
    cancelAnimationFrame(flight)
    isFitted = false
    set({ ...camera, x: camera.x + dx, y: camera.y + dy })
    if (pinch) set(zoomAt(pinch.x, pinch.y, pinch.factor))
  })
  new ResizeObserver(() => {
    if (isFitted) set(fitted())
  }).observe(element)

  return {
    element,
    show(drawing, next) {
      stage.replaceChildren(drawing)
      size = next
      isFitted = true
      cancelAnimationFrame(flight)
      set(fitted())
    },
    zoom(factor) {
      const { width, height } = room()
      const middle = revealed && middleOf(revealed)
      isFitted = false
      if (middle && isVisible(middle)) fly(zoomAt(middle.x, middle.y, factor))
      else fly(zoomAt(width / 2, height / 2, factor))
    },
    fit() {
      isFitted = true
      fly(fitted())
    },
    reveal(box) {
      revealed = box
      if (!box) return
      const [x, y, width, height] = box
      const space = room()
      const scale = Math.max(camera.scale, Math.min(0.7, limits.fit))
      if (isVisible(middleOf(box)) && scale === camera.scale) return
      isFitted = false
      fly({
        scale,
        x: space.width / 2 - (x + width / 2) * scale,
        y: space.height / 2 - (y + height / 2) * scale,
      })
    },
  }
}

/** Reports the movement of one pointer, and the pinch of two. A press without movement stays a click. */
function dragWith(
  element: SVGSVGElement,
  moved: (dx: number, dy: number, pinch?: { x: number; y: number; factor: number }) => void,
): void {
  const held = new Map<number, { x: number; y: number }>()
  let isDrag = false
  element.addEventListener('pointerdown', (event) => {
    isDrag = false
    held.set(event.pointerId, { x: event.clientX, y: event.clientY })
  })
  element.addEventListener('pointermove', (event) => {
    const before = held.get(event.pointerId)
    if (!before) return
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y]
    if (!isDrag && Math.hypot(dx, dy) < 4) return
    isDrag = true
    element.setPointerCapture(event.pointerId)
    const now = { x: event.clientX, y: event.clientY }
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1]
    held.set(event.pointerId, now)
    if (!other) return moved(dx, dy)
    const distance = (point: { x: number; y: number }) =>
      Math.max(1, Math.hypot(point.x - other.x, point.y - other.y))
    const { left, top } = element.getBoundingClientRect()
    moved(dx / 2, dy / 2, {
      x: (now.x + other.x) / 2 - left,
      y: (now.y + other.y) / 2 - top,
      factor: distance(now) / distance(before),
    })
  })
  for (const name of ['pointerup', 'pointercancel'] as const)
    element.addEventListener(name, (event) => held.delete(event.pointerId))
  element.addEventListener(
    'click',
    (event) => {
      if (isDrag) event.stopPropagation()
      isDrag = false
    },
    { capture: true },
  )
}
