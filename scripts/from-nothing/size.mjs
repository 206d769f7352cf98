import { StepError } from '../steps/run.mjs'

const LIMIT_MB = 350
/** What `docker images` says of node:24-bookworm-slim, rounded up from published lists (node:22-slim: 220): no figure of ours. */
const BASE_MB = 230

/** What the image of these files weighs, uncompressed and in millions of bytes. Throws when they leave no room for the base. @param {number} bytes */
export function imageSize(bytes) {
  const own = Math.ceil(bytes / 1e6)
  const sum = `${own} MB of files, measured, on a base of ${BASE_MB} MB, as published`
  if (own > LIMIT_MB - BASE_MB) throw new StepError(`The image is too large: ${sum}`)
  return `${sum}: ${own + BASE_MB} MB of ${LIMIT_MB}`
}
