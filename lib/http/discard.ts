const MAX_BYTES = 1024 * 1024 * 1024
const MAX_MS = 60_000

/**
 * Reads and drops the rest of a refused body, so that a client that sends everything before it
 * reads gets the response instead of a reset connection. Never rejects. Stops (and closes the
 * connection) after a gibibyte or a minute.
 */
export async function discard(body: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const deadline = Date.now() + MAX_MS
  try {
    for (let left = MAX_BYTES; left > 0 && Date.now() < deadline; ) {
      const { done, value } = await body.read()
      if (done) return
      left -= value.length
    }
    await body.cancel()
  } catch {
    // The client has left, and with it the rest of the body.
  }
}
