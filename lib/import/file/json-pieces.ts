import { readPieces } from './read-pieces'
import { type Encoding, readText } from './read-text'

type Options = Parameters<typeof readText>[2]

/** A JSON text in pieces, in UTF-8 whatever the encoding of its file. */
export async function* jsonPieces(
  path: string,
  encoding: Encoding,
  options: NonNullable<Options>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (encoding === 'utf-8') yield* readPieces(path, options.onBytes)
  else
    for await (const text of readText(path, encoding, options)) yield new TextEncoder().encode(text)
}
