import { open } from 'node:fs/promises'

const PIECE_BYTES = 256 * 1024

/** The bytes of a file in pieces, each in a buffer of its own. `onBytes` gets the number of bytes read so far. */
export async function* readPieces(
  path: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path)
  try {
    for (let position = 0; ; ) {
      const buffer = new Uint8Array(PIECE_BYTES)
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      onBytes(position)
      yield bytesRead === PIECE_BYTES ? buffer : buffer.slice(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** The first bytes of a file. */
export async function readBeginning(path: string): Promise<Uint8Array> {
  for await (const piece of readPieces(path)) return piece
  return new Uint8Array()
}
