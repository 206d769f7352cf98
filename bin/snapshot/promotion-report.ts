import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Journal, type Steps } from '@/lib/promotion/journal'
import { isObject } from '@/lib/values/json'
import { EXIT, Failure } from '../failure'
import type { Io } from '../io'

type Report = Steps & { to: string; startedAt: string; finishedAt: string | null }

/** The file of a promotion, which is written before and after each of its steps. */
export class PromotionReport {
  readonly journal: Journal

  private constructor(
    readonly path: string,
    readonly report: Report,
  ) {
    this.journal = new Journal(report, () => this.write())
  }

  static async start(io: Io, path: string, to: string): Promise<PromotionReport> {
    const file = resolve(io.cwd, path)
    // Of two that start at once, one alone makes the file.
    await writeFile(file, '', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      throw new Failure(
        `${file} is the report of another promotion, which takes that back: name another file`,
        EXIT.usage,
      )
    })
    const startedAt = new Date().toISOString()
    const steps = { installs: [], settings: {} }
    const made = new PromotionReport(file, { to, startedAt, finishedAt: null, ...steps })
    await made.write()
    return made
  }

  static async read(io: Io, path: string): Promise<PromotionReport> {
    const file = resolve(io.cwd, path)
    const report = await readFile(file, 'utf8').then(asReport, () => null)
    if (report) return new PromotionReport(file, report)
    throw new Failure(`${file} is no report of a promotion`, EXIT.usage)
  }

  async finish(): Promise<void> {
    this.report.finishedAt = new Date().toISOString()
    await this.write()
  }

  /** Throws the error; of a promotion that did nothing, or has taken it back, no report stays. */
  async end(error: unknown): Promise<never> {
    const { installs, settings } = this.report
    const isDone = installs.length > 0 || Object.keys(settings).length > 0
    if (!isDone) await rm(this.path, { force: true })
    throw error
  }

  /** A process that dies leaves the one before or this one. */
  private async write(): Promise<void> {
    await writeFile(`${this.path}.new`, `${JSON.stringify(this.report, null, 2)}\n`)
    await rename(`${this.path}.new`, this.path)
  }
}

function asReport(text: string): Report | null {
  try {
    const read = JSON.parse(text) as Partial<Report> | null
    const isReport =
      typeof read?.to === 'string' && Array.isArray(read.installs) && isObject(read.settings)
    return isReport ? (read as Report) : null
  } catch {
    return null
  }
}
