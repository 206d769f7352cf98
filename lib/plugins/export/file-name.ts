import { createHash } from 'node:crypto'

/** Names that are safe as a part of a path everywhere, and that archives do not use otherwise. */
const SAFE = /^(?!__)[A-Za-z0-9_](?:[A-Za-z0-9_ .-]{0,78}[A-Za-z0-9_-])?$/

/** A part of a path for a definition; for other names than simple ones, with a digest. */
export function fileNameOf(name: string): string {
  if (SAFE.test(name)) return name
  const readable = name.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 60)
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${readable.replace(/^-+/, '')}-${digest}`.replace(/^-/, '')
}
