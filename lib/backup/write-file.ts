import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { BackupFile } from './contract'

export type Written = BackupFile & { lines: number }

const NEWLINE = 10

/**
 * Writes `content` to `path` in `folder`, packed when it ends in `.gz`. Its hash and its number of lines are those of the
 * content.
 */
export async function writeFileOf(
  folder: string,
  path: string,
  content: Readable | string,
): Promise<Written> {
  const to = join(folder, path)
  await mkdir(dirname(to), { recursive: true })
  const { count, counted } = counting()
  const source = typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content
  const target = createWriteStream(to, { mode: 0o600, flush: true })
  if (path.endsWith('.gz')) await pipeline(source, count, createGzip({ level: 3 }), target)
  else await pipeline(source, count, target)
  return { path, ...counted() }
}

/** The same of what is not written. */
export async function measure(content: Readable): Promise<Omit<Written, 'path'>> {
  const { count, counted } = counting()
  await pipeline(content, count, async (rest) => {
    for await (const _ of rest);
  })
  return counted()
}

function counting() {
  const hash = createHash('sha256')
  let [bytes, lines] = [0, 0]
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      for (const byte of chunk) if (byte === NEWLINE) lines++
      done(null, chunk)
    },
  })
  return { count, counted: () => ({ sha256: hash.digest('hex'), bytes, lines }) }
}
