import { readFileSync } from 'node:fs'
import { Server } from 'node:http'
import { resolve } from 'node:path'
import type { Env } from '@/lib/env'
import { CompressedFiles } from './compressed-files'
import type { Serve } from './create-server'

type NextHandler = (...exchange: Parameters<Serve>) => Promise<void>

/**
 * Serves pages and their files by Next, in this process. Loaded on the first call of `prepare` or
 * `serve`; requests wait for it.
 */
export class Pages {
  private handler: Promise<NextHandler> | undefined
  private readonly compressed = new CompressedFiles(
    resolve(/* turbopackIgnore: true */ process.cwd(), '.next/static'),
  )

  constructor(private readonly settings: Pick<Env, 'PORT' | 'HOST'>) {}

  prepare(): Promise<NextHandler> {
    this.handler ??= this.load()
    return this.handler
  }

  readonly serve: Serve = (request, response) => {
    if (this.compressed.serve(request, response)) return
    this.prepare()
      .then((handle) => handle(request, response))
      .catch((error) => {
        process.stderr.write(`A page failed: ${error instanceof Error ? error.stack : error}\n`)
        if (response.headersSent) response.destroy()
        else response.writeHead(500).end()
      })
  }

  private async load(): Promise<NextHandler> {
    takeBuiltConfiguration()
    const { default: next } = await import('next')
    const { PORT: port, HOST: hostname } = this.settings
    const app = next({
      dev: false,
      dir: process.cwd(),
      port,
      hostname,
      quiet: true,
      // Next adds a listener for `upgrade` to the server it is given, and would end such requests.
      httpServer: new Server(),
    })
    await app.prepare()
    return app.getRequestHandler()
  }
}

/**
 * Next's own standalone server starts like this: `next.config.mjs` is evaluated by the build alone.
 */
function takeBuiltConfiguration(): void {
  const file = resolve(
    /* turbopackIgnore: true */ process.cwd(),
    '.next/required-server-files.json',
  )
  const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config: object }
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
}
