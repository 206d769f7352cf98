import { open } from 'node:fs/promises'
import { type Encoding, FileFault } from './source'

/** What a byte order mark says; UTF-8 without one. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/**
 * The text of a file in pieces, without a byte order mark; a character that is cut off at the end of a file that `isCut` is left out.
 * Throws `FileFault` for bytes that are no text.
 */
export async function* readText(
  path: string,
  encoding: Encoding,
  { onBytes, isCut = false }: { onBytes?: (bytes: number) => void; isCut?: boolean } = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let lines = 1
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch {
      throw new FileFault(
        `The file is not valid ${encoding.toUpperCase()} at or after line ${lines}; save it as UTF-8, or say its encoding (encoding=windows-1252)`,
      )
    }
  }
  for await (const piece of readPieces(path, onBytes)) {
    const text = decode(piece)
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
    if (text !== '') yield text
  }
  if (isCut) return
  const last = decode()
  if (last !== '') yield last
}

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
