import { FileFault } from './file-fault'
import { readPieces } from './read-pieces'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

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
