import { type FileHandle, open } from 'node:fs/promises'

const CHUNK_BYTES = 64 * 1024

/**
 * The bytes `start` to `end` (included) of a file: opened when first read, closed at the end or on
 * cancel, and never read ahead of its reader. (Node's `Readable.toWeb` counts chunks where it means
 * bytes, and so takes the whole file into memory for a slow reader.) A file that ends early errors.
 */
export function fileStream(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let opening: Promise<FileHandle> | undefined
  let at = start
  const read = async (handle: FileHandle): Promise<Uint8Array> => {
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - at + 1))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) throw new Error('The file is shorter than it was')
    return buffer.subarray(0, bytesRead)
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      opening ??= open(path)
      const handle = await opening
      const chunk = await read(handle).catch(async (error) => {
        await handle.close()
        throw error
      })
      at += chunk.length
      controller.enqueue(chunk)
      if (at <= end) return
      await handle.close()
      controller.close()
    },
    // A running read ends before the file is closed; its result is not used.
    cancel: async () => (await opening)?.close(),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
