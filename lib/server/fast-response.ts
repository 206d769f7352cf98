import { FastResponse } from 'srvx/node'
import { PlainHeaders } from './plain-headers'

/**
 * In place of `Response` in the bundle of the server: made without a stream, and sent as the text
 * that it is.
 */
class EngineResponse extends FastResponse {
  /** Whatever any code makes by the name of `Response`, as for srvx's own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof FastResponse
  }

  readonly #headers: PlainHeaders
  #isNative = false

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    const headers = new PlainHeaders(init?.headers)
    super(body, { status: init?.status, statusText: init?.statusText, headers })
    this.#headers = headers
  }

  override get headers(): Headers {
    return this.#isNative ? super.headers : this.#headers
  }

  /** The browsers' one, which srvx makes where its body is read as a stream. */
  get _response(): Response {
    this.#isNative = true
    return super['_response' as keyof FastResponse] as unknown as Response
  }
}

export { EngineResponse as Response }
