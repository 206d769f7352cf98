const MAX_BYTES = 1024 * 1024
/** Of one request to a provider, with its answer. */
export const PROVIDER_TIMEOUT_S = 10

/** An answer of a provider that is longer than any real one. */
class TooLong extends Error {
  override readonly name = 'TooLong'
}

type Options = {
  method: string
  body?: unknown
  headers: Record<string, string>
  signal?: AbortSignal
}

/** `fetch` that follows no redirect, and reads the whole answer within the time limit, at most 1 MiB of it. */
export async function boundedFetch(url: string, options: Options): Promise<Response> {
  const signal = options.signal ?? AbortSignal.timeout(PROVIDER_TIMEOUT_S * 1000)
  const init = { ...options, signal, redirect: 'manual' } as RequestInit
  const response = await fetch(url, init)
  const { status, headers } = response
  const body = await readBody(response)
  const isEmpty = status === 204 || status === 205 || status === 304
  return new Response(isEmpty ? null : body, { status, headers })
}

async function readBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_BYTES) throw new TooLong('The answer is larger than 1 MiB')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
