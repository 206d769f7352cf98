import { createReadStream, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream'

const BASE = '/_next/static/'
const TYPES: Record<string, string> = {
  js: 'application/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
}

/** The console's scripts and styles that the build has compressed (`scripts/compress-scripts.mjs`), by their addresses. */
export class CompressedFiles {
  private readonly files: ReadonlyMap<string, string>

  /** `folder`: what Next serves as `/_next/static`. */
  constructor(folder: string) {
    this.files = new Map(
      namesIn(folder)
        .filter((name) => name.endsWith('.br'))
        .map((name) => [
          BASE + name.slice(0, -'.br'.length).replaceAll('\\', '/'),
          join(folder, name),
        ]),
    )
  }

  /** Whether the request was for one of them and is answered. Names of files have a digest, so they never change. */
  serve({ method, url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
    const path = url.split('?', 1)[0] ?? ''
    const file = method === 'GET' && headers.range === undefined ? this.files.get(path) : undefined
    if (file === undefined || !/\bbr\b/.test(headers['accept-encoding'] ?? '')) return false
    response.writeHead(200, {
      'Content-Type': TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? '',
      'Content-Encoding': 'br',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    })
    // A browser that leaves ends the reading; a file that can't be read ends the response early, so it is not kept.
    pipeline(createReadStream(file), response, () => {})
    return true
  }
}

/** None before the first build. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}
