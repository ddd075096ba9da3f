/** A promise that others resolve. */
export interface Signal {
  readonly reached: Promise<void>
  readonly reach: () => void
}

export function openSignal(): Signal {
  let reach: () => void = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach: () => reach() }
}
