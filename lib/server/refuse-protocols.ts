import type { Server } from 'node:http'
import { respondRaw } from './respond-raw'

type Fault = [status: number, error: string]

const FAULTS: Record<string, Fault> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large'],
  HPE_INVALID_METHOD: [400, 'The request is not valid HTTP: unknown method'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request arrived too slowly; send it again'],
}
const INVALID: Fault = [400, 'The request is not valid HTTP/1.1']

/**
 * Responds in the envelope to what is no request: invalid HTTP, CONNECT, and expectations other
 * than `100-continue`. `Upgrade` has no listener on purpose: Node then serves the request without
 * it, as clients that offer HTTP/2 (`h2c`) expect.
 */
export function refuseProtocols(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else respondRaw(socket, ...(FAULTS[error.code ?? ''] ?? INVALID))
  })
  server.on('connect', (_, socket) => {
    socket.on('error', () => {})
    respondRaw(socket, 405, 'CONNECT is not allowed: this server is no proxy', { Allow: 'GET' })
  })
  server.on('checkExpectation', ({ socket }) => {
    respondRaw(socket, 417, 'Of the Expect header, only 100-continue is supported')
  })
}
