import { open } from 'node:fs/promises'

/** Up to `length` bytes of a file from a position on: fewer at its end. */
export async function readAt(path: string, position: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
