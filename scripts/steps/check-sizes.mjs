import { lines, sources } from '../structure/sources.mjs'

/** Most files have less than 120 lines; one that needs more than this is about two things. */
const MOST_LINES = 250

/** Files that run in production and are too long to be read at once. */
export const checkSizes = (root) =>
  sources(root)
    .map((file) => ({ file, count: lines(root, file) }))
    .filter(({ count }) => count > MOST_LINES)
    .map(({ file, count }) => `${file} has ${count} lines: ${MOST_LINES} are allowed`)
