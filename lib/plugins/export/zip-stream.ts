import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of an archive; `chunks` are read once, before the next file is asked for. */
export type ZipEntry = { path: string; chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }

/** The same for all files, so that equal contents make equal archives. */
const OPTIONS = {
  mtime: new Date('1980-01-01T00:00:00Z'),
  mode: 0o100644,
  compress: true,
  forceDosTimestamp: true,
}

/**
 * A ZIP of files that are made one after the other while it is read, with constant memory. Ending the
 * iteration ends that of `entries`.
 */
export async function* zipStream(
  entries: AsyncIterable<ZipEntry>,
): AsyncGenerator<Uint8Array, void, void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let current: Readable | undefined
  const fail = (error: unknown) => output.destroy(error as Error)
  zip.on('error', fail)

  async function feed() {
    for await (const { path, chunks } of entries) {
      if (output.destroyed) return
      current = Readable.from(chunks, { objectMode: false })
      zip.addReadStream(current, path, OPTIONS)
      await finished(current)
    }
    zip.end()
  }

  const feeding = feed().catch(fail)
  try {
    for await (const chunk of output) yield chunk as Uint8Array
  } finally {
    output.destroy()
    current?.destroy()
    await feeding
  }
}
