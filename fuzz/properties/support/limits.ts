/** Statuses that refuse a request because of its size. */
export const tooLarge = [400, 413, 414, 431]
