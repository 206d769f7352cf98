/** A JSON list of the lines, each of which is one JSON text. */
export async function* encodeJson(
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<Uint8Array, void, void> {
  let opening = '['
  for await (const chunk of lines) {
    const text = chunk.toString('latin1', 0, chunk.length - 1).replaceAll('\n', ',\n')
    yield Buffer.from(`${opening}${text}`, 'latin1')
    opening = ',\n'
  }
  yield Buffer.from(opening === '[' ? '[]\n' : ']\n')
}
