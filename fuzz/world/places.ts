/** The port offsets of the world's servers for a running application. Only the command `world` opens the page. */
export const places = { alpha: 0, beta: 1, plain: 2, smtp: 3, page: 4 } as const
export const firstPort = 4010
