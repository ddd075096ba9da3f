/** Where the world of a running application listens, on this machine: so many ports behind the first. */
export const places = { alpha: 0, beta: 1, plain: 2, smtp: 3 } as const
export const firstPort = 4010
