/** The port offsets of the world's servers for a running application. */
export const places = { alpha: 0, beta: 1, plain: 2, smtp: 3 } as const
export const firstPort = 4010
