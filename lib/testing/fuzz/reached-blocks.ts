import { Session } from 'node:inspector/promises'
import { sep } from 'node:path'

/** V8's block coverage of the product's own code, to find out which input reaches something new. */
export class ReachedBlocks {
  private readonly seen = new Set<string>()

  private constructor(private readonly session: Session) {}

  static async start(): Promise<ReachedBlocks> {
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    return new ReachedBlocks(session)
  }

  /** How many blocks have been reached since the last call that never were before. */
  async takeNew(): Promise<number> {
    const { result } = await this.session.post('Profiler.takePreciseCoverage')
    const before = this.seen.size
    for (const { url, functions } of result)
      if (isProductCode(url))
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) this.seen.add(`${url}:${startOffset}-${endOffset}`)
    return this.seen.size - before
  }

  async stop(): Promise<void> {
    await this.session.post('Profiler.stopPreciseCoverage')
    this.session.disconnect()
  }
}

const isProductCode = (url: string) =>
  url.includes(`${sep}lib${sep}`) && !/node_modules|testing/.test(url)
